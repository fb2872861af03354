import type { HttpRequest, HttpResponse } from '../../http/plain/exchange.ts';
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
  /** Calls this once when nothing is to be sent any more: the answer left this process, or the client disconnected. */
  onClosed(close: () => void): void;
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
const linger = (request: HttpRequest): void => {
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
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Headers of every answer, as names and values; the client may add to them. */
  readonly headers: string[];
  readonly stalledMs: number;
  readonly batchPerTick: BatchPerTick;
}

const untilDrained = (response: HttpResponse, stalledMs: number): Promise<void> =>
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

/**
 * Pieces of a stream that wait for the end of the turn. Their list is emptied, never replaced: a list that was empty since
 * the event before is in the old generation, and if it is dropped it keeps its pieces until a full collection.
 */
class PendingPieces {
  /** This side writes the chunks of the stream. */
  chunked = false;
  /** Changed here alone. */
  bytes = 0;
  private readonly pieces: Buffer[] = [];

  /** A chunk of no bytes would be the last one. */
  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.pieces.push(piece);
    this.bytes += piece.length;
  }

  /** The bytes as they are sent; null: none. */
  take(): Buffer | null {
    const { pieces, bytes, chunked } = this;
    if (pieces.length === 0) return null;
    const taken = chunked ? chunkOf(pieces, bytes) : Buffer.concat(pieces);
    pieces.length = 0;
    this.bytes = 0;
    return taken;
  }
}

const nothing = Buffer.alloc(0);

/** A header of the gateway replaces the upstream's of the same name. */
const merged = (common: readonly string[], headers: readonly string[]): string[] => {
  const head = [...common];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!common.includes(name)) head.push(name, headers[index + 1] ?? '');
  }
  return head;
};

class ResponseClient implements Client {
  private isGone = false;
  private isClosed = false;
  private onceClosed: (() => void) | null = null;
  private readonly pending = new PendingPieces();
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

  onClosed(close: () => void): void {
    if (this.isClosed) close();
    else this.onceClosed = close;
  }

  addHeader(name: string, value: string): void {
    this.options.headers.push(name, value);
  }

  answer(status: number, headers: readonly string[], body: Buffer | string): void {
    const { request, response, headers: common } = this.options;
    if (this.isGone || response.headersSent) return;
    const unread = !request.complete;
    const head = [...merged(common, headers), 'content-length', String(Buffer.byteLength(body))];
    if (unread) head.push('connection', 'close');
    response.writeHead(status, head);
    this.options.batchPerTick(() => {
      // A text leaves in one piece with the head, bytes as a second one: copying a small body costs less than that.
      if (typeof body === 'string') response.end(body, 'utf8');
      else if (body.length > joinedMax) response.end(body);
      else response.end(body.toString('latin1'), 'latin1');
      if (unread) linger(request);
    });
  }

  startStream(headers: readonly string[]): void {
    const { response, headers: common } = this.options;
    if (this.isGone) return;
    response.writeHead(200, merged(common, headers));
    // Chunks are made here: left to the response, each is written as four pieces.
    this.pending.chunked = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  write(bytes: Buffer): Promise<void> | null {
    const { response, stalledMs, batchPerTick } = this.options;
    if (this.isGone) return Promise.reject(new ClientGoneError());
    if (this.pending.bytes === 0) batchPerTick(() => this.flush());
    this.pending.add(bytes);
    if (this.pending.bytes >= pendingMax) this.flush();
    return response.writableNeedDrain ? untilDrained(response, stalledMs) : null;
  }

  end(bytes: Buffer): void {
    const { pending } = this;
    if (this.isGone) return;
    pending.add(bytes);
    const rest = pending.take() ?? nothing;
    this.options.response.end(pending.chunked ? Buffer.concat([rest, lastChunk]) : rest);
  }

  breakOff(bytes: Buffer): void {
    const { response } = this.options;
    if (this.isGone) return;
    this.pending.add(bytes);
    const rest = this.pending.take();
    if (rest === null) response.socket?.destroySoon();
    else response.write(rest, () => response.socket?.destroySoon());
  }

  private flush(): void {
    const bytes = this.isGone ? null : this.pending.take();
    if (bytes !== null) this.options.response.write(bytes);
  }

  private closed(): void {
    this.isClosed = true;
    this.onceClosed?.();
    if (this.options.response.writableFinished) return;
    this.isGone = true;
    this.running?.abort();
  }
}

export const createClient = (options: ClientOptions): Client => new ResponseClient(options);
