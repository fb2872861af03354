import type { RelayFailure } from '../../providers/provider.ts';
import type { PostingResult } from '../../store/ledger/postings.ts';
import type { FailedAttempt } from './attempt-result.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

/** What became of one try of one channel. */
export interface AttemptReport {
  readonly channel: RoutedChannel;
  /** The model that the client asked for. */
  readonly model: string;
  readonly requestId: string;
  /** Milliseconds until the answer's head; 0: the attempt failed. */
  readonly headMs: number;
  /** Milliseconds until it was known to answer or to fail. */
  readonly ms: number;
  /** Null: it answered. */
  readonly failed: FailedAttempt | null;
  /** Another key of the channel takes calls. */
  readonly hasHealthySibling: boolean;
  /** It was a test, of which the one who ordered it draws the consequences. */
  readonly test: boolean;
}

/** A stream that began well and did not end so. */
export interface BrokenStream extends Pick<AttemptReport, 'channel' | 'model' | 'requestId'> {
  readonly failure: RelayFailure;
}

/** What was charged for one call. */
export interface ChargeReport {
  readonly userId: number;
  readonly prompt: number;
  readonly completion: number;
  /** Quota units. */
  readonly quota: number;
  /** Null: the charge had been made before. */
  readonly result: PostingResult | null;
}

/** Is told what happens in the relay, for health, figures and notices. It takes no time and never throws. */
export interface RelayObserver {
  onAttempt(report: AttemptReport): void;
  onBrokenStream(report: BrokenStream): void;
  onCharge(report: ChargeReport): void;
  /** A call was answered with this status; 0: its client had gone. */
  onAnswer(status: number): void;
}

/** For a relay whose doings nobody follows. */
export const silentObserver: RelayObserver = {
  onAttempt: () => undefined,
  onBrokenStream: () => undefined,
  onCharge: () => undefined,
  onAnswer: () => undefined,
};
