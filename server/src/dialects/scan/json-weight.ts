import { skipString } from './json-scan.ts';

/** What a parsed list or object takes beside its bytes. */
const containerBytes = 64;
/** Parsing a million of them takes a fifth of a second. */
const containersMax = 1_000_000;
/** Smaller texts are not worth looking at. */
const weighedMin = 64 * 1024;

/**
 * The bytes that a JSON text takes beside itself once it is parsed: a megabyte of empty objects becomes twenty. Null: there
 * are too many to parse. The text need not be sound.
 */
export const parsedBytes = (bytes: Buffer): number | null => {
  if (bytes.length < weighedMin) return 0;
  let containers = 0;
  for (let at = 0; at < bytes.length && containers <= containersMax; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22) {
      const end = skipString(bytes, at);
      if (end < 0) break;
      at = end - 1;
    } else if (byte === 0x7b || byte === 0x5b) containers += 1;
  }
  return containers > containersMax ? null : containers * containerBytes;
};
