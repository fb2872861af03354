import { callSeconds } from '@weir/contract/config-values';

/** How long a call of an upstream may take, in milliseconds. */
export interface CallTimes {
  /** From the request sent to the first byte of the answer's head. */
  readonly firstByteMs: number;
  /** Time without data within an answer. */
  readonly idleMs: number;
  /** The whole call. */
  readonly totalMs: number;
}

/** Bounds of the relay (reliability notes E.9). Times in milliseconds, sizes in bytes; `CallTimes` where a channel has none of its own. */
export interface RelayLimits extends CallTimes {
  /** A request body, decoded; of a form what its own bounds allow. */
  readonly bodyMax: number;
  /** A body that is a form. */
  readonly formMax: number;
  /** Bytes of a form that are read before its call begins. */
  readonly formHeldMax: number;
  /** Bytes of a forwarded form that are kept for an attempt on another channel. */
  readonly formKeptMax: number;
  readonly connectMs: number;
  /** An event of a stream. */
  readonly eventMax: number;
  /** How long the events in front of a stream's content are held back. */
  readonly openingMs: number;
  /** What one call may have fetched from addresses that it names, in total. */
  readonly contentMax: number;
  /** An answer that comes in one piece. */
  readonly answerMax: number;
  /** A failure's body is read no further than this. */
  readonly failureMax: number;
  /** Bytes that one stream may keep in memory before its upstream is paused. */
  readonly bufferMax: number;
  /** How long a client may leave pending data unread. */
  readonly stalledClientMs: number;
  /** Requests that run at once on this node. */
  readonly inFlightMax: number;
  /** The response item cache: how long an item is kept, and the characters of all items. */
  readonly keptMs: number;
  readonly keptMax: number;
  /** How long a stop waits for running requests. */
  readonly drainMs: number;
}

/** Bounds of fetching content that a client names by its address. */
export const contentLimits = { connectMs: 5000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 30_000 } as const;

export const relayLimits: RelayLimits = {
  // Anthropic takes 32 MB, OpenAI 50.
  bodyMax: 50 * 1024 * 1024,
  formMax: 100 * 1024 * 1024,
  formHeldMax: 50 * 1024 * 1024,
  formKeptMax: 4 * 1024 * 1024,
  connectMs: 10_000,
  firstByteMs: callSeconds.first_byte_seconds * 1000,
  idleMs: callSeconds.idle_seconds * 1000,
  totalMs: callSeconds.total_seconds * 1000,
  // Pictures of several megabytes come as one event.
  eventMax: 64 * 1024 * 1024,
  contentMax: 32 * 1024 * 1024,
  // An upstream that gives up reports it at once. One that thinks is silent for longer, and clients have time-outs.
  openingMs: 5000,
  answerMax: 64 * 1024 * 1024,
  failureMax: 64 * 1024,
  bufferMax: 256 * 1024,
  stalledClientMs: 60_000,
  inFlightMax: 10_000,
  keptMs: 60 * 60_000,
  keptMax: 64 * 1024 * 1024,
  drainMs: 10 * 60_000,
};
