import type { IncomingHttpHeaders } from 'node:http';
import { endOfSize, endsLine, lineEnd, sizeOf } from './chunked-coding.ts';

/** The results of a parser, in order. */
export interface ResponseEvents {
  head(status: number, headers: IncomingHttpHeaders): void;
  /** Part of the body. The bytes belong to the caller's buffer and are only good until this returns. */
  data(bytes: Buffer): void;
  /** The answer is whole; `reusable`: the connection may carry another once the parser was reset. */
  end(reusable: boolean): void;
}

/** Reads one answer of HTTP/1.1 after another from the bytes of a connection. */
export interface ResponseParser {
  /** Another request was sent: another answer may come. */
  reset(): void;
  /** Takes what was read. False: the bytes break the rules of HTTP and the connection is of no more use. */
  push(bytes: Buffer): boolean;
  /** The connection ended. False: in the middle of an answer. */
  close(): boolean;
}

/** Bytes of a head, trailers and chunk extensions included. */
const headMax = 32 * 1024;
const interimMax = 16;

type State = 'head' | 'length' | 'chunk_size' | 'chunk' | 'chunk_end' | 'trailers' | 'until_close' | 'done';

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const headerLine = /^[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*$/;

interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body; null: chunked; undefined: as many as come. */
  readonly length: number | null | undefined;
  readonly keepsAlive: boolean;
}

/** Repeated headers are joined by commas, which a second content length does not survive. */
const readHeaders = (lines: readonly string[]): IncomingHttpHeaders | null => {
  const headers: IncomingHttpHeaders = {};
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (!headerLine.test(line)) return null;
    const colon = line.indexOf(':');
    const key = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    // Cookies are never passed on, and a name of the prototype would be no header.
    if (key === 'set-cookie' || key === '__proto__') continue;
    const before = Object.hasOwn(headers, key) ? headers[key] : undefined;
    headers[key] = typeof before === 'string' ? `${before}, ${value}` : value;
  }
  return headers;
};

/** Length of the body (RFC 9112, 6.3); undefined if no header has it. NaN: invalid. */
const bodyLength = (status: number, headers: IncomingHttpHeaders): number | null | undefined => {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (status === 204 || status === 304) return 0;
  if (coding !== undefined) return coding.toLowerCase() === 'chunked' && length === undefined ? null : Number.NaN;
  if (length === undefined) return undefined;
  return /^\d{1,15}$/.test(length) ? Number(length) : Number.NaN;
};

const readHead = (text: string): Head | null => {
  const lines = text.split('\r\n');
  const match = statusLine.exec(lines[0] ?? '');
  const headers = match === null ? null : readHeaders(lines);
  if (match === null || headers === null) return null;
  const status = Number(match[2]);
  const length = bodyLength(status, headers);
  if (Number.isNaN(length)) return null;
  const connection = (headers.connection ?? '').toLowerCase();
  const keepsAlive = match[1] === '1' ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection);
  return { status, headers, length, keepsAlive };
};

const empty = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');

/** How far an answer was read: what its next bytes are. */
class AnswerState {
  private state: State = 'done';
  /** Bytes left of a body or chunk. */
  private left = 0;
  private interim = 0;
  private keepsAlive = false;
  private readonly events: ResponseEvents;

  constructor(events: ResponseEvents) {
    this.events = events;
  }

  begin(): void {
    this.state = 'head';
    this.interim = 0;
  }

  /** An answer without a length ends with its connection. */
  close(): boolean {
    if (this.state === 'until_close') this.end(false);
    return this.state === 'done';
  }

  /** The offset behind what was read. Unchanged: more bytes are needed; negative: the bytes break the rules. */
  step(all: Buffer, at: number): number {
    switch (this.state) {
      case 'head':
        return this.readHead(all, at);
      case 'length':
      case 'chunk':
        return this.readBody(all, at);
      case 'until_close':
        this.events.data(all.subarray(at));
        return all.length;
      case 'chunk_size':
        return this.readSize(all, at);
      case 'chunk_end':
        return this.readChunkEnd(all, at);
      case 'trailers':
        return this.readTrailer(all, at);
      case 'done':
        return -1;
    }
  }

  private readHead(all: Buffer, at: number): number {
    const end = all.indexOf(headEnd, at);
    if (end < 0) return at;
    const head = end - at > headMax ? null : readHead(all.toString('latin1', at, end));
    if (head === null || head.status === 101) return -1;
    if (head.status < 200) return ++this.interim > interimMax ? -1 : end + headEnd.length;
    this.interim = 0;
    this.keepsAlive = head.keepsAlive;
    this.left = head.length ?? 0;
    this.state = head.length === undefined ? 'until_close' : head.length === null ? 'chunk_size' : 'length';
    this.events.head(head.status, head.headers);
    if (this.state === 'length' && this.left === 0) this.end(this.keepsAlive);
    return end + headEnd.length;
  }

  private readBody(all: Buffer, at: number): number {
    const end = Math.min(all.length, at + this.left);
    this.left -= end - at;
    this.events.data(all.subarray(at, end));
    if (this.left > 0) return end;
    if (this.state === 'chunk') this.state = 'chunk_end';
    else this.end(this.keepsAlive);
    return end;
  }

  private readSize(all: Buffer, at: number): number {
    const end = endOfSize(all, at);
    if (end < 0) return at;
    this.left = sizeOf(all, at, end);
    this.state = this.left === 0 ? 'trailers' : 'chunk';
    return this.left < 0 ? -1 : end + lineEnd.length;
  }

  private readChunkEnd(all: Buffer, at: number): number {
    if (!endsLine(all, at)) return all.length - at < lineEnd.length && all[at] === lineEnd[0] ? at : -1;
    this.state = 'chunk_size';
    return at + lineEnd.length;
  }

  private readTrailer(all: Buffer, at: number): number {
    const end = all.indexOf(lineEnd, at);
    if (end < 0) return at;
    const line = all.toString('latin1', at, end);
    if (line === '') this.end(this.keepsAlive);
    else if (!headerLine.test(line)) return -1;
    return end + lineEnd.length;
  }

  private end(reusable: boolean): void {
    this.state = 'done';
    this.events.end(reusable);
  }
}

/** Keeps the part of an answer that a read left unfinished. */
class Parser implements ResponseParser {
  private kept = empty;
  private readonly state: AnswerState;

  constructor(events: ResponseEvents) {
    this.state = new AnswerState(events);
  }

  reset(): void {
    this.state.begin();
  }

  push(bytes: Buffer): boolean {
    const all = this.kept.length === 0 ? bytes : Buffer.concat([this.kept, bytes]);
    this.kept = empty;
    let at = 0;
    while (at < all.length) {
      const next = this.state.step(all, at);
      if (next < 0) return false;
      if (next === at) {
        // A line or head that is not complete yet: the caller's buffer does not last.
        this.kept = Buffer.from(all.subarray(at));
        return this.kept.length <= headMax;
      }
      at = next;
    }
    return true;
  }

  close(): boolean {
    return this.state.close();
  }
}

export const createResponseParser = (events: ResponseEvents): ResponseParser => new Parser(events);
