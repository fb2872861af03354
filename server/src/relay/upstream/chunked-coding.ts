export const lineEnd = Buffer.from('\r\n');
const [carriageReturn = 0, lineFeed = 0] = lineEnd;

/** Whether the bytes at `at` end a line. */
export const endsLine = (bytes: Buffer, at: number): boolean =>
  bytes[at] === carriageReturn && bytes[at + 1] === lineFeed;

/** Value of a hexadecimal digit; -1: it is none. */
const valueOf = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** A size with an extension, or of many digits. */
const extendedSize = /^([\da-f]{1,13})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
/** Enough for all chunks that upstreams send: they are read byte by byte, without making a text of each event's size. */
const plainDigitsMax = 7;

/** The offset of the line end behind the size of a chunk at `at`; -1: it is not here yet. */
export const endOfSize = (bytes: Buffer, at: number): number => {
  let end = at;
  while (end - at < plainDigitsMax && valueOf(bytes[end] ?? 0) >= 0) end++;
  return endsLine(bytes, end) ? end : bytes.indexOf(lineEnd, at);
};

/** The size of a chunk, from the text between the two offsets; -1: it is none. */
export const sizeOf = (bytes: Buffer, from: number, end: number): number => {
  let size = 0;
  let at = from;
  for (; at < end && at - from < plainDigitsMax; at++) {
    const value = valueOf(bytes[at] ?? 0);
    if (value < 0) break;
    size = size * 16 + value;
  }
  if (at === end && end > from) return size;
  const digits = extendedSize.exec(bytes.toString('latin1', from, end))?.[1];
  return digits === undefined ? -1 : Number.parseInt(digits, 16);
};

const hexDigits = Buffer.from('0123456789abcdef');
const digitsOf = (length: number): number => Math.max(1, Math.ceil((32 - Math.clz32(length)) / 4));

/**
 * One chunk of HTTP/1.1's chunked coding (RFC 9112, 7.1), byte by byte around its pieces: each event of a stream has one.
 *
 * @param length the bytes of all pieces, less than 2³²
 */
export const chunkOf = (pieces: readonly Buffer[], length: number): Buffer => {
  const count = digitsOf(length);
  const chunk = Buffer.allocUnsafe(count + length + 2 * lineEnd.length);
  for (let at = count - 1, rest = length; at >= 0; at--, rest >>>= 4) chunk[at] = hexDigits[rest & 15] ?? 0;
  let at = count;
  chunk[at++] = carriageReturn;
  chunk[at++] = lineFeed;
  for (const piece of pieces) at += piece.copy(chunk, at);
  chunk[at++] = carriageReturn;
  chunk[at] = lineFeed;
  return chunk;
};

/** Ends a chunked body. */
export const lastChunk = Buffer.from('0\r\n\r\n');
