import { createReadStream } from 'node:fs';
import { endOfQuoted, readTuple, skipBlanks } from './dump-values.ts';
import { SourceError } from './source.ts';

/** A row or a statement that is larger is none of a gateway's. */
const pieceMax = 64 * 2 ** 20;
const headMax = 4096;

/** What a dump is read into, one after the other. */
export type DumpPiece =
  | { readonly kind: 'create'; readonly text: string }
  /** `at` is where the statement begins in the file. */
  | { readonly kind: 'insert'; readonly table: string; readonly columns: readonly string[] | null; readonly at: number }
  | { readonly kind: 'row'; readonly values: readonly (string | null)[] };

const insertHead =
  /^(?:insert|replace)\s+(?:ignore\s+)?into\s+(?:`[^`]*`\.)?[`"]?([\w$]+)[`"]?\s*(\([^()']*\))?\s*values?\s*(?=\()/i;

const listed = (text: string): string[] =>
  text
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim().replace(/^[`"]|[`"]$/g, ''));

/** Where a statement that is passed over ends, behind its semicolon; undefined: not in these bytes. */
const endOfStatement = (bytes: Buffer, at: number): number | undefined => {
  for (let index = at; index < bytes.length;) {
    const byte = bytes[index];
    if (byte === 0x3b) return index + 1;
    if (byte === 0x27 || byte === 0x22 || byte === 0x60) {
      const end = endOfQuoted(bytes, index);
      if (end === undefined) return undefined;
      index = end;
    } else {
      index += 1;
    }
  }
  return undefined;
};

const endOfComment = (bytes: Buffer, at: number): number | undefined => {
  const isBlock = bytes[at] === 0x2f;
  const end = bytes.indexOf(isBlock ? '*/' : '\n', at + (isBlock ? 2 : 0));
  if (end < 0) return undefined;
  const behind = end + (isBlock ? 2 : 1);
  return isBlock && bytes[behind] === 0x3b ? behind + 1 : behind;
};

const isComment = (bytes: Buffer, at: number): boolean => {
  const [first, second] = [bytes[at], bytes[at + 1]];
  return first === 0x23 || (first === 0x2d && second === 0x2d) || (first === 0x2f && second === 0x2a);
};

/** The bytes that are read and not used up yet, with their place in the file. */
interface Window {
  bytes: Buffer;
  at: number;
  start: number;
  ended: boolean;
}

/** One step of reading; undefined: more bytes are needed. Null: something was passed over. */
const step = (window: Window, state: { inserting: boolean }): DumpPiece | null | undefined => {
  const { bytes } = window;
  const at = skipBlanks(bytes, window.at);
  window.at = at;
  // A comment or a keyword must be known whole.
  if (at + headMax > bytes.length && !window.ended && !state.inserting) return undefined;
  if (at >= bytes.length) return undefined;
  if (state.inserting) {
    if (bytes[at] === 0x28) {
      const row = readTuple(bytes, at, window.start);
      if (row === undefined) return undefined;
      window.at = row.next;
      return { kind: 'row', values: row.value };
    }
    if (bytes[at] !== 0x2c) state.inserting = false;
    window.at = at + (bytes[at] === 0x2c || bytes[at] === 0x3b ? 1 : 0);
    return null;
  }
  if (isComment(bytes, at)) {
    const end = endOfComment(bytes, at);
    if (end !== undefined) window.at = end;
    return end === undefined ? undefined : null;
  }
  const head = bytes.toString('latin1', at, at + headMax);
  const [whole, table = '', columns] = insertHead.exec(head) ?? [];
  if (whole !== undefined) {
    window.at = at + whole.length;
    state.inserting = true;
    const names = columns === undefined ? null : listed(columns);
    return { kind: 'insert', table, columns: names, at: window.start + at };
  }
  const end = endOfStatement(bytes, at);
  if (end === undefined) return undefined;
  window.at = end;
  return /^create\s+table/i.test(head) ? { kind: 'create', text: bytes.toString('utf8', at, end) } : null;
};

const grow = (window: Window, chunk: Buffer): void => {
  window.bytes = Buffer.concat([window.bytes.subarray(window.at), chunk]);
  window.start += window.at;
  window.at = 0;
  if (window.bytes.length > pieceMax)
    throw new SourceError(`The dump has a row or a statement of more than ${pieceMax} bytes at byte ${window.start}`);
};

/** Reads a dump from a byte at which a statement begins, with no more than a row of it in memory. */
export const readDump = async function* (
  path: string,
  { from = 0, chunkBytes = 2 ** 20 }: { readonly from?: number | undefined; readonly chunkBytes?: number } = {},
): AsyncGenerator<DumpPiece> {
  const window: Window = { bytes: Buffer.alloc(0), at: 0, start: from, ended: false };
  const state = { inserting: false };
  const stream: AsyncIterable<Buffer> = createReadStream(path, { start: from, highWaterMark: chunkBytes });
  for await (const chunk of stream) {
    grow(window, chunk);
    for (let piece = step(window, state); piece !== undefined; piece = step(window, state))
      if (piece !== null) yield piece;
  }
  window.ended = true;
  // A dump that is whole ends with a newline; the end of its last text is known only with a byte behind it.
  grow(window, Buffer.from('\n'));
  for (let piece = step(window, state); piece !== undefined; piece = step(window, state))
    if (piece !== null) yield piece;
  if (state.inserting || window.at < window.bytes.length)
    throw new SourceError('The dump ends in the middle of a statement: it is not complete');
};
