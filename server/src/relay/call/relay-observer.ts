import type { RelayFailure } from '../../providers/provider.ts';
import type { PostingResult } from '../../store/ledger/postings.ts';
import type { FailedAttempt } from './attempt-result.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

/** The result of one attempt; of one that streams, at the end of the stream. */
export interface AttemptReport {
  readonly channel: RoutedChannel;
  /** The requested model. */
  readonly model: string;
  readonly requestId: string;
  /** Milliseconds until the answer's head; 0: the attempt failed. */
  readonly headMs: number;
  /** Milliseconds until its success or failure was known. */
  readonly ms: number;
  /** Null: it answered. */
  readonly failed: FailedAttempt | null;
  /** Another key of the channel is in use. */
  readonly hasHealthySibling: boolean;
  /** A channel test: its caller acts on the result. */
  readonly test: boolean;
}

/** An attempt whose stream broke after it had reached the client. */
export interface BrokenStream extends Pick<AttemptReport, 'channel' | 'model' | 'requestId'> {
  readonly failure: RelayFailure;
}

/** The charge of one call. */
export interface ChargeReport {
  readonly userId: number;
  readonly prompt: number;
  readonly completion: number;
  /** Quota units. */
  readonly quota: number;
  /** Null: the charge had been made before. */
  readonly result: PostingResult | null;
}

/** Receives the events of the relay, for health, metrics and notices. It returns at once and never throws. */
export interface RelayObserver {
  onAttempt(report: AttemptReport): void;
  onBrokenStream(report: BrokenStream): void;
  onCharge(report: ChargeReport): void;
  /** A call was answered with this status; 0: its client had disconnected. */
  onAnswer(status: number): void;
}

/** Ignores all events. */
export const silentObserver: RelayObserver = {
  onAttempt: () => undefined,
  onBrokenStream: () => undefined,
  onCharge: () => undefined,
  onAnswer: () => undefined,
};
