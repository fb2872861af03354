import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientGoneError } from './request-body.ts';
import type { BatchPerTick } from '../upstream/batch-per-tick.ts';
import { chunkOf, lastChunk } from '../upstream/chunked-coding.ts';

/** The answering side of one call. */
export interface Client {
  /** The client closed its connection, or the connection was closed because the client read nothing for too long. */
  gone(): boolean;
  /** Something was sent: from now on no other channel can be tried and no error status be given. */
  started(): boolean;
  /** Aborts this call once, when the client disconnects before its answer is complete. It replaces the one before. */
  onGone(call: { abort(): void }): void;
  /** Adds a header to the answer, which has not begun yet. */
  addHeader(name: string, value: string): void;
  /** A whole answer. */
  answer(status: number, headers: readonly string[], body: Buffer | string): void;
  startStream(headers: readonly string[]): void;
  /** Null: continue; otherwise resolves when the client has read enough, and rejects when it has disconnected. */
  write(bytes: Buffer): Promise<void> | null;
  /** Ends a stream properly. */
  end(bytes: Buffer): void;
  /** Ends a stream as incomplete: the closing chunk of the HTTP body is not sent. */
  breakOff(bytes: Buffer): void;
}

/** Reading on after an early refusal lets the client see the answer before its connection ends. */
const lingerBytes = 64 * 1024;
const lingerMs = 1000;

/** Takes what is left of a refused request, a little of it, and closes the connection. */
const linger = (request: IncomingMessage): void => {
  let left = lingerBytes;
  const stop = () => request.socket.destroy();
  const timer = setTimeout(stop, lingerMs);
  request.socket.once('close', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stop();
  });
  request.once('end', stop);
  request.resume();
};

/** Bodies up to this size leave in one write together with their head. */
const joinedMax = 16 * 1024;

/** The events of one turn of the loop are written at its end; this many bytes are written sooner. */
const pendingMax = 64 * 1024;

export interface ClientOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of every answer, as names and values; the client may add to them. */
  readonly headers: string[];
  readonly stalledMs: number;
  readonly batchPerTick: BatchPerTick;
}

const untilDrained = (response: ServerResponse, stalledMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      response.off('drain', drained);
      response.off('close', closed);
    };
    const drained = () => {
      finish();
      resolve();
    };
    const closed = () => {
      finish();
      reject(new ClientGoneError());
    };
    const timer = setTimeout(() => response.destroy(), stalledMs);
    response.once('drain', drained);
    response.once('close', closed);
  });

class ResponseClient implements Client {
  private isGone = false;
  /** This side writes the chunks of a stream. */
  private chunks = false;
  /** Of a stream: what waits for the end of the turn. */
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private running: { abort(): void } | null = null;
  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
    options.response.on('close', () => this.closed());
  }

  gone(): boolean {
    return this.isGone;
  }

  started(): boolean {
    return this.options.response.headersSent;
  }

  onGone(call: { abort(): void }): void {
    this.running = call;
    if (this.isGone) call.abort();
  }

  addHeader(name: string, value: string): void {
    this.options.headers.push(name, value);
  }

  answer(status: number, headers: readonly string[], body: Buffer | string): void {
    const { request, response, headers: common } = this.options;
    if (this.isGone || response.headersSent) return;
    const unread = !request.complete;
    const head = [...common, ...headers, 'content-length', String(Buffer.byteLength(body))];
    if (unread) head.push('connection', 'close');
    response.writeHead(status, head);
    this.options.batchPerTick(() => {
      // A text leaves in one piece with the head, bytes as a second one: copying a small body costs less than that.
      if (typeof body === 'string') response.end(body);
      else if (body.length > joinedMax) response.end(body);
      else response.end(body.toString('latin1'), 'latin1');
      if (unread) linger(request);
    });
  }

  startStream(headers: readonly string[]): void {
    const { response, headers: common } = this.options;
    if (this.isGone) return;
    response.writeHead(200, [...common, ...headers]);
    // Chunks are made here: left to the response, each is written as four pieces.
    this.chunks = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  write(bytes: Buffer): Promise<void> | null {
    const { response, stalledMs, batchPerTick } = this.options;
    if (this.isGone) return Promise.reject(new ClientGoneError());
    if (this.pending.length === 0) batchPerTick(() => this.flush());
    this.keep(bytes);
    if (this.pendingBytes >= pendingMax) this.flush();
    return response.writableNeedDrain ? untilDrained(response, stalledMs) : null;
  }

  end(bytes: Buffer): void {
    if (this.isGone) return;
    this.keep(bytes);
    const rest = this.takePending();
    this.options.response.end(this.chunks ? Buffer.concat(rest === null ? [lastChunk] : [rest, lastChunk]) : rest);
  }

  breakOff(bytes: Buffer): void {
    const { response } = this.options;
    if (this.isGone) return;
    this.keep(bytes);
    const rest = this.takePending();
    if (rest === null) response.socket?.destroySoon();
    else response.write(rest, () => response.socket?.destroySoon());
  }

  /** A chunk of no bytes would be the last one. */
  private keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
  }

  /** The pending bytes, as they are sent; null: none. */
  private takePending(): Buffer | null {
    const { pending, pendingBytes, chunks } = this;
    if (pending.length === 0) return null;
    this.pending = [];
    this.pendingBytes = 0;
    return chunks ? chunkOf(pending, pendingBytes) : Buffer.concat(pending);
  }

  private flush(): void {
    const bytes = this.isGone ? null : this.takePending();
    if (bytes !== null) this.options.response.write(bytes);
  }

  private closed(): void {
    if (this.options.response.writableFinished) return;
    this.isGone = true;
    this.running?.abort();
  }
}

export const createClient = (options: ClientOptions): Client => new ResponseClient(options);
