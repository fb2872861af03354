import { SourceError } from './source.ts';

/** Bytes of the marks of SQL text. */
const mark = {
  quote: 0x27,
  backslash: 0x5c,
  open: 0x28,
  close: 0x29,
  comma: 0x2c,
  space: 0x20,
  newline: 0x0a,
  carriageReturn: 0x0d,
  tab: 0x09,
} as const;

/** What a backslash makes of the byte behind it (MySQL's string literals); others stand for themselves. */
const escaped: ReadonlyMap<number, number> = new Map([
  [0x30, 0x00],
  [0x62, 0x08],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x5a, 0x1a],
]);

/** A value or a row, and where the text goes on; undefined: its end is not there yet. */
interface Read<Value> {
  readonly value: Value;
  readonly next: number;
}

/** Where a quoted text that begins at `at` ends, behind its last quote; undefined: not in these bytes. */
export const endOfQuoted = (bytes: Buffer, at: number): number | undefined => {
  const quote = bytes[at];
  for (let index = at + 1; index < bytes.length; index += 1) {
    if (bytes[index] === mark.backslash && quote !== 0x60) {
      index += 1;
    } else if (bytes[index] === quote) {
      // Whether the next byte is a second quote must be known.
      if (index + 1 >= bytes.length) return undefined;
      if (bytes[index + 1] !== quote) return index + 1;
      index += 1;
    }
  }
  return undefined;
};

const unescape = (bytes: Buffer): string => {
  if (!bytes.includes(mark.backslash) && !bytes.includes(mark.quote)) return bytes.toString('utf8');
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    let byte = bytes[index] ?? 0;
    if (byte === mark.backslash && index + 1 < bytes.length) {
      index += 1;
      const next = bytes[index] ?? 0;
      byte = escaped.get(next) ?? next;
    } else if (byte === mark.quote) {
      index += 1;
    }
    out[length] = byte;
    length += 1;
  }
  return out.toString('utf8', 0, length);
};

/** A value without quotes: a number, NULL, or bytes as hexadecimal digits. */
const plain = (text: string): string | null => {
  if (/^null$/i.test(text)) return null;
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return Buffer.from(text.slice(2), 'hex').toString('utf8');
  return text;
};

const readValue = (bytes: Buffer, at: number): Read<string | null> | undefined => {
  let begin = at;
  while (bytes[begin] === mark.space) begin += 1;
  // The character set before a text, as in `_binary 'abc'`.
  if (bytes[begin] === 0x5f) while (begin < bytes.length && bytes[begin] !== mark.quote) begin += 1;
  if (bytes[begin] === mark.quote) {
    const end = endOfQuoted(bytes, begin);
    return end === undefined ? undefined : { value: unescape(bytes.subarray(begin + 1, end - 1)), next: end };
  }
  let end = begin;
  while (end < bytes.length && bytes[end] !== mark.comma && bytes[end] !== mark.close) end += 1;
  if (end >= bytes.length) return undefined;
  return { value: plain(bytes.toString('latin1', begin, end).trim()), next: end };
};

/**
 * The values of a row whose bracket is at `at`; undefined: its end is not in these bytes.
 * @param start where the bytes begin in the file
 * @throws SourceError if it is no row
 */
export const readTuple = (bytes: Buffer, at: number, start: number): Read<readonly (string | null)[]> | undefined => {
  const values: (string | null)[] = [];
  let next = at + 1;
  for (;;) {
    const read = readValue(bytes, next);
    if (read === undefined || read.next >= bytes.length) return undefined;
    values.push(read.value);
    next = read.next;
    while (bytes[next] === mark.space) next += 1;
    if (next >= bytes.length) return undefined;
    if (bytes[next] === mark.close) return { value: values, next: next + 1 };
    if (bytes[next] !== mark.comma)
      throw new SourceError(`The dump is damaged: the row at byte ${start + at} cannot be read`);
    next += 1;
  }
};

const blanks: ReadonlySet<number | undefined> = new Set([mark.space, mark.newline, mark.carriageReturn, mark.tab]);

/** The first byte from `at` on that is no blank. */
export const skipBlanks = (bytes: Buffer, at: number): number => {
  let next = at;
  while (next < bytes.length && blanks.has(bytes[next])) next += 1;
  return next;
};
