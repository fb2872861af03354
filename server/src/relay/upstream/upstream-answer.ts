import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamRequest } from '../../providers/provider.ts';
import type { CallTimes } from '../limits.ts';
import type { Upstream } from './upstream.ts';
import type { BodyRest, UpstreamCall, UpstreamSink } from './upstream-call.ts';
import { UpstreamError } from './upstream-error.ts';

/** An answer whose head is here. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds from the request to the head of its answer. */
  readonly headMs: number;
  /** The whole body, if it is read in one piece; otherwise null: `next` reads it. */
  readonly whole: Buffer | null;
  /** The next piece, at once where it has arrived; null at the end. Rejects with `UpstreamError` when the answer breaks off. */
  next(): Buffer | null | Promise<Buffer | null>;
  /** Reads on up to `max` bytes and throws them away, so that the connection can serve again; ends what is longer. */
  discard(max: number): void;
}

/** How the body of an answer is read: piece by piece, or whole up to so many bytes. */
export type Wanted =
  | { readonly kind: 'pieces' }
  /** Longer ones fail as `too_large`. */
  | { readonly kind: 'whole'; readonly max: number }
  /** Longer ones are cut there, and one that breaks off counts as it is. */
  | { readonly kind: 'beginning'; readonly max: number };

export interface UpstreamQuery {
  readonly request: UpstreamRequest;
  /** Follows the request's body as it comes; absent: nothing does. */
  readonly rest?: BodyRest | null;
  /** Bytes that a stream may keep in memory before its sender is paused. */
  readonly bufferMax: number;
  /** Absent: the limits'. */
  readonly times?: CallTimes;
  /** Decides by the head. */
  want(status: number, headers: IncomingHttpHeaders): Wanted;
}

export interface PendingAnswer {
  /** Rejects with `UpstreamError`. */
  readonly answer: Promise<UpstreamAnswer>;
  abort(): void;
}

/** Keeps what arrives until it is read, and pauses the sender when too much waits. */
class AnswerReader implements UpstreamSink, UpstreamAnswer, PendingAnswer {
  status = 0;
  headers: IncomingHttpHeaders = {};
  headMs = 0;
  whole: Buffer | null = null;
  call: UpstreamCall | null = null;
  readonly answer: Promise<UpstreamAnswer>;
  private readonly chunks: Buffer[] = [];
  private waiting = 0;
  private wanted: Wanted = { kind: 'pieces' };
  private paused = false;
  private ended = false;
  private error: UpstreamError | null = null;
  private reader: ((next: ReturnType<UpstreamAnswer['next']>) => void) | null = null;
  private readonly sentAt = performance.now();
  private readonly started: PromiseWithResolvers<UpstreamAnswer> = Promise.withResolvers();
  private readonly query: UpstreamQuery;

  constructor(query: UpstreamQuery) {
    this.query = query;
    this.answer = this.started.promise;
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
    this.headMs = performance.now() - this.sentAt;
    this.wanted = this.query.want(status, headers);
    if (this.wanted.kind === 'pieces') this.started.resolve(this);
  }

  data(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.waiting += chunk.length;
    if (this.wanted.kind === 'pieces') this.keepOrPause();
    else if (this.waiting > this.wanted.max) this.cut(this.wanted);
  }

  end(): void {
    this.ended = true;
    if (this.wanted.kind === 'pieces') this.wake();
    else this.finish();
  }

  fail(error: UpstreamError): void {
    this.error = error;
    if (this.wanted.kind === 'beginning') this.finish();
    else this.started.reject(error);
    this.wake();
  }

  abort(): void {
    this.call?.abort();
  }

  next(): Buffer | null | Promise<Buffer | null> {
    const chunk = this.chunks.shift();
    if (chunk !== undefined) {
      this.took(chunk.length);
      return chunk;
    }
    if (this.error !== null) return Promise.reject(this.error);
    if (this.ended) return null;
    return new Promise((resolve) => (this.reader = resolve));
  }

  discard(max: number): void {
    this.chunks.length = 0;
    this.waiting = 0;
    this.wanted = { kind: 'beginning', max };
    this.call?.resume();
  }

  private keepOrPause(): void {
    if (this.waiting >= this.query.bufferMax && !this.paused) {
      this.paused = true;
      this.call?.pause();
    }
    this.wake();
  }

  private cut({ kind }: Wanted): void {
    if (kind === 'whole') this.started.reject(new UpstreamError('too_large'));
    else this.finish();
    this.call?.abort();
  }

  private finish(): void {
    const [first] = this.chunks;
    const all = this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks);
    this.whole = this.wanted.kind === 'beginning' ? all.subarray(0, this.wanted.max) : all;
    this.started.resolve(this);
  }

  private took(bytes: number): void {
    this.waiting -= bytes;
    if (!this.paused || this.waiting > this.query.bufferMax / 2) return;
    this.paused = false;
    this.call?.resume();
  }

  private wake(): void {
    const { reader } = this;
    this.reader = null;
    reader?.(this.next());
  }
}

/** Sends a request and waits for its answer: for the head of one that is read in pieces, else for the whole. */
export const ask = (upstream: Upstream, query: UpstreamQuery): PendingAnswer => {
  const reader = new AnswerReader(query);
  const { request, times, rest } = query;
  reader.call = upstream.send(request, reader, { times, rest });
  return reader;
};
