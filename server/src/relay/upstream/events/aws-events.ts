import { crc32 } from 'node:zlib';
import { pieceBytes } from '../../memory/memory-budget.ts';
import type { Splitter, WireEvent } from './wire-event.ts';

/** Lengths of the message and of its headers, and a checksum of the two. */
const preludeBytes = 12;
const checksumBytes = 4;
const textType = 7;
/** Bytes of the value of a header of each other type. */
const valueBytes = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
]);

/** The headers that are texts, by their names. */
const headersOf = (bytes: Buffer): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    const fixed = valueBytes.get(type);
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    const end = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
    if (type === textType) headers.set(name, bytes.toString('utf8', start, end));
    at = end;
  }
  return headers;
};

/** The content of a message, as an object with one member: the name of its event or of its error. */
const dataOf = (message: Buffer): string => {
  const headersEnd = preludeBytes + message.readUInt32BE(4);
  const headers = headersOf(message.subarray(preludeBytes, headersEnd));
  const code = headers.get(':error-code');
  if (code !== undefined) {
    const text = headers.get(':error-message') ?? code;
    return JSON.stringify({ error: { code, message: text } });
  }
  const name = headers.get(':event-type') ?? headers.get(':exception-type') ?? '';
  return `{${JSON.stringify(name)}:${message.toString('utf8', headersEnd, message.length - checksumBytes)}}`;
};

const isSound = (message: Buffer): boolean =>
  crc32(message.subarray(0, preludeBytes - checksumBytes)) === message.readUInt32BE(preludeBytes - checksumBytes) &&
  crc32(message.subarray(0, -checksumBytes)) === message.readUInt32BE(message.length - checksumBytes) &&
  preludeBytes + message.readUInt32BE(4) + checksumBytes <= message.length;

/** Replaces a corrupt message: no reader accepts it. */
const corrupt = 'a message whose checksum is wrong';

/** Messages of AWS's event streams (`application/vnd.amazon.eventstream`), each with its length in front. */
export const createAwsSplitter = (eventBytesMax: number): Splitter => {
  const parts: Buffer[] = [];
  let partBytes = 0;
  /** Bytes that are needed before the next step. */
  let wanted = preludeBytes;
  const take = (bytes: Buffer): WireEvent => ({ bytes, data: isSound(bytes) ? dataOf(bytes) : corrupt });
  return {
    push: (chunk) => {
      parts.push(chunk);
      partBytes += chunk.length;
      if (partBytes < wanted) return [];
      const bytes = parts.length === 1 ? chunk : Buffer.concat(parts);
      const events: WireEvent[] = [];
      let start = 0;
      for (wanted = preludeBytes; bytes.length - start >= wanted;) {
        wanted = bytes.readUInt32BE(start);
        if (wanted > eventBytesMax || wanted < preludeBytes + checksumBytes) return null;
        if (bytes.length - start < wanted) break;
        events.push(take(bytes.subarray(start, start + wanted)));
        start += wanted;
        wanted = preludeBytes;
      }
      parts.length = 0;
      if (start < bytes.length) parts.push(bytes.subarray(start));
      partBytes = bytes.length - start;
      return events;
    },
    kept: () => partBytes + parts.length * pieceBytes,
    // Half a message has no content.
    rest: () => null,
  };
};
