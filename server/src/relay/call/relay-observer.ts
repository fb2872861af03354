import type { Route } from '@weir/contract/channel-route';
import type { RefusalRule } from '@weir/contract/logs';
import type { RelayFailure } from '../../providers/provider.ts';
import type { PostingResult } from '../../store/ledger/postings.ts';
import type { AttemptNote, ClientRequest } from '../client/client-request.ts';
import type { Access } from '../client/token-check.ts';
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
  readonly requestId: string;
  readonly userId: number;
  /** As requested. */
  readonly model: string;
  readonly group: string;
  readonly channelId: number;
  /** From the arrival of the call; null: one of several charges of a session. */
  readonly ms: number | null;
  /** Until the first event of a stream, from the attempt on. */
  readonly firstMs: number | null;
  readonly prompt: number;
  readonly completion: number;
  /** Quota units. */
  readonly quota: number;
  /** Null: the charge had been made before. */
  readonly result: PostingResult | null;
}

/** The request of a call that was answered. */
export type AnsweredRequest = Pick<ClientRequest, 'message' | 'path' | 'requestId' | 'startedMs'>;

/** A call that was answered with an error. */
export interface RefusedCall {
  readonly requestId: string;
  /** Milliseconds from its arrival to the answer. */
  readonly ms: number;
  /** Null: no user is known. */
  readonly access: Access | null;
  /** The last characters of a key that no token has. */
  readonly keyTail: string;
  /** Where it comes from, read only where it is stored: an address, and the network of its subscriber. */
  source(): { readonly address: string; readonly network: string };
  /** Without the query. */
  readonly path: string;
  /** Empty and false: the refusal came before the body was read. */
  readonly model: string;
  readonly stream: boolean;
  readonly rule: RefusalRule;
  /** Of the answer, as its text and its `Retry-After` are. */
  readonly status: number;
  readonly message: string;
  readonly retryAfter: string;
  readonly attempts: readonly AttemptNote[];
  /** Null: the refusal does not depend on channels. */
  readonly route: RefusedRoute | null;
}

/** The channels that list the model of a refused call, explained only where it is stored. */
export interface RefusedRoute {
  /** Those in use, as they are now. */
  enabled(): Route['channels'];
  /** The others, read from the database. */
  disabled(): Promise<Route['channels']>;
}

/** Receives the events of the relay, for health, metrics and notices. It returns at once and never throws. */
export interface RelayObserver {
  onAttempt(report: AttemptReport): void;
  onBrokenStream(report: BrokenStream): void;
  onCharge(report: ChargeReport): void;
  /** A call was answered with this status; 0: its client had disconnected. The last event of the call. */
  onAnswer(request: AnsweredRequest, status: number): void;
  onRefused(refused: RefusedCall): void;
  /** A call has waited so many milliseconds for a channel with room, whether it found one or not. */
  onQueued(ms: number): void;
}

/** Ignores all events. */
export const silentObserver: RelayObserver = {
  onAttempt: () => undefined,
  onBrokenStream: () => undefined,
  onCharge: () => undefined,
  onAnswer: () => undefined,
  onRefused: () => undefined,
  onQueued: () => undefined,
};

/** Passes each event on to both. */
export const bothObservers = (one: RelayObserver, other: RelayObserver): RelayObserver => ({
  onAttempt: (report) => {
    one.onAttempt(report);
    other.onAttempt(report);
  },
  onBrokenStream: (report) => {
    one.onBrokenStream(report);
    other.onBrokenStream(report);
  },
  onCharge: (report) => {
    one.onCharge(report);
    other.onCharge(report);
  },
  onAnswer: (request, status) => {
    one.onAnswer(request, status);
    other.onAnswer(request, status);
  },
  onRefused: (refused) => {
    one.onRefused(refused);
    other.onRefused(refused);
  },
  onQueued: (ms) => {
    one.onQueued(ms);
    other.onQueued(ms);
  },
});
