import type { ClientResponse, RelayFailure, StreamStep, StreamTranslator } from '../../providers/provider.ts';
import type { PendingAnswer, UpstreamAnswer } from '../upstream/upstream-answer.ts';
import type { Splitter, WireEvent } from '../upstream/events/wire-event.ts';

/** An event with its meaning. */
export interface ReadEvent {
  readonly event: WireEvent;
  readonly step: StreamStep;
}

/** A stream whose content has begun, or is late. */
export interface OpenStream {
  readonly kind: 'stream';
  readonly answer: UpstreamAnswer;
  readonly splitter: Splitter;
  readonly translator: StreamTranslator;
  /**
   * The events up to the first content. Emptied once they are forwarded, as their bytes keep a larger buffer in memory.
   */
  readonly first: ReadEvent[];
  readonly pending: PendingAnswer;
}

export interface PlainAnswer {
  readonly kind: 'plain';
  readonly answer: UpstreamAnswer;
  readonly response: Extract<ClientResponse, { kind: 'answer' }>;
}

export interface FailedAttempt {
  readonly kind: 'failed';
  /** 0: the upstream gave no status. */
  readonly status: number;
  readonly failure: RelayFailure;
  readonly retryAfter: string;
  /** Where a redirect leads that was not followed: for administrators, as it may name an internal host. */
  readonly redirectTarget?: string;
}

export type AttemptResult = OpenStream | PlainAnswer | FailedAttempt;

export const isFailed = (result: { readonly kind: string }): result is FailedAttempt => result.kind === 'failed';
