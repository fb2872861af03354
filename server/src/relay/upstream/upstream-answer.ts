import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamRequest } from '../../providers/provider.ts';
import type { CallTimes } from '../limits.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import { joinPieces } from '../memory/join-pieces.ts';
import { largeWork } from '../memory/large-work.ts';
import { type MemoryBound, MemoryError, type MemoryPart, pieceBytes } from '../memory/memory-budget.ts';
import type { Upstream } from './upstream.ts';
import type { BodyRest, UpstreamCall, UpstreamSink } from './upstream-call.ts';
import { UpstreamError } from './upstream-error.ts';

/** Of an answer; null: its end. */
type Piece = Buffer | null;

/** An answer whose head is here. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds from the request to the head of its answer. */
  readonly headMs: number;
  /** The whole body, if it is read in one piece; otherwise null: `next` reads it. */
  readonly whole: Buffer | null;
  /** Whether `next` can be called; if not, `run` is called once when it can. */
  ready(run: () => void): boolean;
  /** The next piece of those that arrived; null at the end. Throws `UpstreamError` where the answer broke off. */
  next(): Piece;
  /** Whether anything that `next` returns at once arrives within this time. */
  arrives(ms: number): boolean | Promise<boolean>;
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
  /** The channel's own; absent: the environment decides. */
  readonly proxy?: ForwardProxy | null;
  /** Counts what of the answer is held. */
  readonly memory: MemoryPart;
  /** Decides by the head. */
  want(status: number, headers: IncomingHttpHeaders): Wanted;
}

export interface PendingAnswer {
  /** Rejects with `UpstreamError`. */
  readonly answer: Promise<UpstreamAnswer>;
  /** As of `UpstreamCall`. */
  isSent(): boolean;
  abort(): void;
}

/** Keeps what arrives until it is read, and then how it ended; pauses the sender when too much waits. */
class UnreadPieces {
  sender: UpstreamCall | null = null;
  ended = false;
  error: UpstreamError | null = null;
  /** Changed here alone. */
  bytes = 0;
  private paused = false;
  private readonly pieces: Buffer[] = [];
  private readonly bufferMax: number;
  private readonly memory: MemoryPart;

  constructor({ bufferMax, memory }: UpstreamQuery) {
    this.bufferMax = bufferMax;
    this.memory = memory;
  }

  /** The bound that this would exceed; null: it was added. */
  add(piece: Buffer): MemoryBound | null {
    const bound = this.memory.resize(this.cost() + piece.length + pieceBytes);
    if (bound !== null) return bound;
    this.pieces.push(piece);
    this.bytes += piece.length;
    return null;
  }

  pauseIfFull(): void {
    if (this.cost() < this.bufferMax || this.paused) return;
    this.paused = true;
    this.sender?.pause();
  }

  /** The oldest piece; undefined: none is here. */
  private take(): Buffer | undefined {
    const piece = this.pieces.shift();
    if (piece === undefined) return undefined;
    this.bytes -= piece.length;
    this.memory.resize(this.cost());
    if (this.paused && this.cost() <= this.bufferMax / 2) {
      this.paused = false;
      this.sender?.resume();
    }
    return piece;
  }

  hasNext(): boolean {
    return this.bytes > 0 || this.error !== null || this.ended;
  }

  next(): Piece {
    const piece = this.take() ?? null;
    if (piece === null && this.error !== null) throw this.error;
    return piece;
  }

  join(done: (whole: Buffer) => void): void {
    largeWork.run(this.bytes, () => {
      const whole = joinPieces(this.pieces);
      this.pieces.length = 0;
      this.memory.resize(whole.length);
      done(whole);
    });
  }

  discard(): void {
    this.pieces.length = 0;
    this.bytes = 0;
    this.memory.resize(0);
    this.sender?.resume();
  }

  private cost(): number {
    return this.bytes + this.pieces.length * pieceBytes;
  }
}

/** Waits for what arrives next. */
class Arrival {
  private onArrival: (() => void) | null = null;
  reader: (() => void) | null = null;

  note(): void {
    const { reader } = this;
    this.reader = null;
    reader?.();
    this.onArrival?.();
  }

  within(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (arrived: boolean) => {
        clearTimeout(timer);
        this.onArrival = null;
        resolve(arrived);
      };
      const timer = setTimeout(() => end(false), Math.max(0, ms));
      this.onArrival = () => end(true);
    });
  }
}

/** Reads one answer as it is wanted. */
class AnswerReader implements UpstreamSink, UpstreamAnswer, PendingAnswer {
  status = 0;
  headers: IncomingHttpHeaders = {};
  headMs = 0;
  whole: Buffer | null = null;
  readonly unread: UnreadPieces;
  private wanted: Wanted = { kind: 'pieces' };
  private readonly arrival = new Arrival();
  private readonly sentAt = performance.now();
  private readonly started: PromiseWithResolvers<UpstreamAnswer> = Promise.withResolvers();
  readonly answer = this.started.promise;
  private readonly query: UpstreamQuery;

  constructor(query: UpstreamQuery) {
    this.query = query;
    this.unread = new UnreadPieces(query);
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
    this.headMs = performance.now() - this.sentAt;
    this.wanted = this.query.want(status, headers);
    if (this.wanted.kind === 'pieces') this.started.resolve(this);
  }

  data(chunk: Buffer): void {
    const bound = this.unread.add(chunk);
    if (bound !== null) return this.refuse(bound);
    if (this.wanted.kind === 'pieces') {
      this.unread.pauseIfFull();
      this.arrival.note();
    } else if (this.unread.bytes > this.wanted.max) this.cut(this.wanted);
  }

  end(): void {
    this.unread.ended = true;
    if (this.wanted.kind === 'pieces') this.arrival.note();
    else this.finish();
  }

  fail(error: UpstreamError): void {
    this.unread.error ??= error;
    if (this.wanted.kind === 'beginning') this.finish();
    else this.started.reject(error);
    this.arrival.note();
  }

  isSent(): boolean {
    return this.unread.sender?.isSent() ?? false;
  }

  abort(): void {
    this.unread.sender?.abort();
  }

  ready(run: () => void): boolean {
    const hasNext = this.unread.hasNext();
    if (!hasNext) this.arrival.reader = run;
    return hasNext;
  }

  next(): Piece {
    return this.unread.next();
  }

  arrives(ms: number): boolean | Promise<boolean> {
    return this.unread.hasNext() || this.arrival.within(ms);
  }

  discard(max: number): void {
    this.wanted = { kind: 'beginning', max };
    this.unread.discard();
  }

  /** There is no room: neither the channel nor the client is at fault. */
  private refuse(bound: MemoryBound): void {
    this.unread.discard();
    this.fail(new UpstreamError('aborted', new MemoryError(bound)));
    this.abort();
  }

  private cut({ kind }: Wanted): void {
    if (kind === 'whole') this.started.reject(new UpstreamError('too_large'));
    else this.finish();
    this.abort();
  }

  private finish(): void {
    this.unread.join((all) => {
      this.whole = this.wanted.kind === 'beginning' ? all.subarray(0, this.wanted.max) : all;
      this.started.resolve(this);
    });
  }
}

/** Until a piece of an answer can be read. It has no value: what waited for long keeps that until a full collection. */
export const untilReady = (answer: UpstreamAnswer): Promise<void> | null => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return answer.ready(resolve) ? null : promise;
};

/** Sends a request and waits for its answer: for the head of one that is read in pieces, else for the whole. */
export const ask = (upstream: Upstream, query: UpstreamQuery): PendingAnswer => {
  const reader = new AnswerReader(query);
  const { request, times, rest, proxy } = query;
  reader.unread.sender = upstream.send(request, reader, { times, rest, proxy });
  return reader;
};
