import type { IncomingHttpHeaders } from 'node:http';
import type { CallTimes } from '../limits.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import type { UpstreamError } from './upstream-error.ts';

/** Receives an answer. Either `end` or `fail` comes once, and nothing after it. */
export interface UpstreamSink {
  head(status: number, headers: IncomingHttpHeaders): void;
  /** The sink may keep the bytes. */
  data(chunk: Buffer): void;
  end(): void;
  fail(error: UpstreamError): void;
  /** For sinks that pass data on later than they get it: holds it back, and goes on. */
  pause?(): void;
  resume?(): void;
  /** The same: ends the sink where it has its end but has not passed it on. */
  stop?(error: UpstreamError): void;
}

/** A running call. */
export interface UpstreamCall {
  /** Stops reading: flow control slows the sender down. */
  pause(): void;
  resume(): void;
  /** The whole request has left this process. Of use once the answer has begun. */
  isSent(): boolean;
  /** Ends the call at once. The sink gets `aborted`, unless it had its end before. */
  abort(): void;
}

/** The client of a call, as far as the upstream side needs it. */
export interface CallOwner {
  /** Aborts this call once, when the client disconnects before its answer is complete. It replaces the one before. */
  onGone(call: Pick<UpstreamCall, 'abort'>): void;
}

/** The part of a body that had not arrived when its call began. It goes to the upstream as it arrives. */
export interface BodyRest {
  /** Bytes; null: the client did not announce a length. */
  readonly length: number | null;
  /** It can be sent again from its start. */
  isReplayable(): boolean;
  /** Reads it from its start; an earlier reader gets nothing more. */
  open(): RestReader;
  /** Leaves unread what has not arrived. */
  close(): void;
}

export interface RestReader {
  /** The next piece; null: the end. Rejects with what is wrong with the body, or when the client disconnected. */
  next(): Promise<Buffer | null>;
}

/** How a request is sent. */
export interface SendOptions {
  /** Absent: the limits'. */
  readonly times?: CallTimes | undefined;
  /** The channel's own; absent: the environment decides. */
  readonly proxy?: ForwardProxy | null | undefined;
  /** Follows the request's body as it arrives; absent: nothing does. */
  readonly rest?: BodyRest | null | undefined;
}
