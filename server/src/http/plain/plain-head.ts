import type { IncomingHttpHeaders } from 'node:http';

/** The head of a request with nothing unusual in it. */
export interface PlainHead {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body. */
  readonly length: number;
  /** Bytes of the head itself, its empty line included. */
  readonly bytes: number;
}

/** Bounds of a plain request; Node's server reads what is larger. */
const headMax = 8 * 1024;
const headersMax = 64;
const lengthMax = 1024 * 1024;

const requestLine = /^POST (\/[!-~]{0,2000}) HTTP\/1\.1$/;
/** Letters, digits and hyphens, a colon without space before it, and a value of printable ASCII. */
const headerLine = /^[A-Za-z\d-]{1,64}:[ -~]*$/;
const digits = /^\d{1,7}$/;
/** What changes how a request is read, or what follows it. */
const unusual: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'http2-settings',
  'proxy-connection',
]);

const headEnd = Buffer.from('\r\n\r\n');

/** Names and values of the lines behind the first; null: one of them is unusual. */
const readLines = (text: string, from: number): IncomingHttpHeaders | null => {
  const headers: IncomingHttpHeaders = {};
  let count = 0;
  for (let at = from; at < text.length;) {
    const next = text.indexOf('\r\n', at);
    const line = next < 0 ? text.slice(at) : text.slice(at, next);
    at = next < 0 ? text.length : next + 2;
    count += 1;
    if (count > headersMax || !headerLine.test(line)) return null;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    // Two lines of one name mean different things to different readers.
    if (unusual.has(name) || Object.hasOwn(headers, name)) return null;
    headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
};

/**
 * Reads the head at the beginning of these bytes. Null: it is not complete, or there is anything in it that another
 * reader of HTTP could understand otherwise: then nothing of it counts, and Node's server reads it from its first byte.
 * So this accepts less than RFC 9112 allows, and must never accept more.
 */
export const readPlainHead = (bytes: Buffer): PlainHead | null => {
  // Most other requests end here.
  if (bytes[0] !== 0x50) return null;
  const end = bytes.indexOf(headEnd);
  if (end < 0 || end > headMax) return null;
  const text = bytes.toString('latin1', 0, end);
  const lineEnd = text.indexOf('\r\n');
  const url = lineEnd < 0 ? undefined : requestLine.exec(text.slice(0, lineEnd))?.[1];
  const headers = url === undefined ? null : readLines(text, lineEnd + 2);
  if (url === undefined || headers === null) return null;
  const { host = '', connection = 'keep-alive', 'content-length': length = '' } = headers;
  if (host === '' || connection.toLowerCase() !== 'keep-alive' || !digits.test(length)) return null;
  if (Number(length) > lengthMax) return null;
  return { url, headers, length: Number(length), bytes: end + headEnd.length };
};
