import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamRequest } from '../providers/provider.ts';
import type { Upstream, UpstreamCall, UpstreamSink } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

/** An answer that can be read piece by piece; what is not asked for stays with the sender. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next piece; null at the end. Rejects with `UpstreamError` when the answer breaks off. */
  next(): Promise<Buffer | null>;
  /** Everything that is left. Rejects with `UpstreamError`, `too_large` beyond `max`. */
  whole(max: number): Promise<Buffer>;
  /** Everything that is left, up to `max` bytes; the rest is thrown away and a break counts as the end. */
  beginning(max: number): Promise<Buffer>;
}

export interface PendingAnswer {
  /** Rejects with `UpstreamError`. */
  readonly answer: Promise<UpstreamAnswer>;
  abort(): void;
}

interface Waiter<Value> {
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** Keeps what arrives until somebody asks for it, and pauses the sender when too much waits. */
class AnswerReader implements UpstreamSink, UpstreamAnswer {
  status = 0;
  headers: IncomingHttpHeaders = {};
  call: UpstreamCall | null = null;
  private readonly chunks: Buffer[] = [];
  private waiting = 0;
  private paused = false;
  private ended = false;
  private error: UpstreamError | null = null;
  private reader: (() => void) | null = null;
  private readonly bufferMax: number;
  private readonly started: Waiter<UpstreamAnswer>;

  constructor(started: Waiter<UpstreamAnswer>, bufferMax: number) {
    this.started = started;
    this.bufferMax = bufferMax;
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
    this.started.resolve(this);
  }

  data(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.waiting += chunk.length;
    if (this.waiting >= this.bufferMax && !this.paused) {
      this.paused = true;
      this.call?.pause();
    }
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  fail(error: UpstreamError): void {
    this.error = error;
    this.started.reject(error);
    this.wake();
  }

  async next(): Promise<Buffer | null> {
    for (;;) {
      const chunk = this.chunks.shift();
      if (chunk !== undefined) {
        this.took(chunk.length);
        return chunk;
      }
      if (this.error !== null) throw this.error;
      if (this.ended) return null;
      await new Promise<void>((resolve) => (this.reader = resolve));
    }
  }

  async whole(max: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) {
      size += chunk.length;
      if (size > max) {
        this.call?.abort();
        throw new UpstreamError('too_large');
      }
      parts.push(chunk);
    }
    const [first] = parts;
    return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
  }

  async beginning(max: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    try {
      while (size < max) {
        const chunk = await this.next();
        if (chunk === null) break;
        size += chunk.length;
        parts.push(chunk);
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    }
    if (!this.ended) this.call?.abort();
    return Buffer.concat(parts).subarray(0, max);
  }

  private took(bytes: number): void {
    this.waiting -= bytes;
    if (!this.paused || this.waiting > this.bufferMax / 2) return;
    this.paused = false;
    this.call?.resume();
  }

  private wake(): void {
    const { reader } = this;
    this.reader = null;
    reader?.();
  }
}

/** Sends a request and waits for the head of its answer. */
export const ask = (upstream: Upstream, request: UpstreamRequest, bufferMax: number): PendingAnswer => {
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>();
  const reader = new AnswerReader({ resolve, reject }, bufferMax);
  reader.call = upstream.send(request, reader);
  return { answer: promise, abort: () => reader.call?.abort() };
};
