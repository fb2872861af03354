import { readFileSync } from 'node:fs';

/** The tokens of an encoding: byte sequences, each with its rank. */
export interface Vocabulary {
  /** The rank of bytes `start` (inclusive) to `end` (exclusive), or `unranked` where they are no token. */
  rank(bytes: Uint8Array, start: number, end: number): number;
}

/** Above every rank. */
export const unranked = 0x7fff_ffff;

/** Bytes of a line: four of base64, a space, a digit and the line's end. */
const lineMin = 7;
const newline = 0x0a;
const space = 0x20;

/** FNV-1a over the bytes. */
const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const padding = 0x3d;
const sextets = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, alphabet.indexOf(String.fromCharCode(code))));

/** Decodes base64 to `at`; returns the offset behind it. */
const decode = (text: Uint8Array, to: Uint8Array, at: number): number => {
  let bits = 0;
  let held = 0;
  let offset = at;
  for (let i = 0; i < text.length && text[i] !== padding; i++) {
    bits = (bits << 6) | (sextets[text[i] ?? 0] ?? 0);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    to[offset++] = (bits >> held) & 0xff;
  }
  return offset;
};

/** The bytes of all tokens; the one of rank n is at `starts[n]` to `starts[n + 1]`. */
const readTokens = (file: Buffer) => {
  const bytes = new Uint8Array(file.length);
  const starts = new Uint32Array(file.length / lineMin);
  let count = 0;
  for (let at = 0; at < file.length;) {
    const gap = file.indexOf(space, at);
    const end = file.indexOf(newline, gap);
    if (gap < 0 || end < 0) throw new Error('A vocabulary ends within a line');
    starts[count + 1] = decode(file.subarray(at, gap), bytes, starts[count] ?? 0);
    count += 1;
    at = end + 1;
  }
  // Copies, so that the memory beyond them is given back.
  return { count, bytes: bytes.slice(0, starts[count]), starts: starts.slice(0, count + 1) };
};

/**
 * Reads a vocabulary in the form its vendor publishes: a line per token, its bytes in base64 and its rank, in the
 * order of ranks. In memory it is three flat arrays: as texts in a map, 200,000 tokens take twenty times as much.
 */
export const readVocabulary = (file: URL): Vocabulary => {
  const { count, bytes: tokens, starts } = readTokens(readFileSync(file));
  const slots = 2 ** Math.ceil(Math.log2(count * 2));
  const table = new Int32Array(slots).fill(-1);
  for (let rank = 0; rank < count; rank++) {
    let slot = hashOf(tokens, starts[rank] ?? 0, starts[rank + 1] ?? 0) & (slots - 1);
    while (table[slot] !== -1) slot = (slot + 1) & (slots - 1);
    table[slot] = rank;
  }
  const isToken = (rank: number, bytes: Uint8Array, start: number, end: number): boolean => {
    const from = starts[rank] ?? 0;
    if ((starts[rank + 1] ?? 0) - from !== end - start) return false;
    for (let i = start; i < end; i++) if (tokens[from + i - start] !== bytes[i]) return false;
    return true;
  };
  return {
    rank: (bytes, start, end) => {
      for (let slot = hashOf(bytes, start, end) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const rank = table[slot] ?? -1;
        if (rank < 0) return unranked;
        if (isToken(rank, bytes, start, end)) return rank;
      }
    },
  };
};
