import { channelErrorKinds, type ChannelErrorKind } from '@weir/contract/channel-health';
import {
  addChannelAttempts,
  addChannelFailures,
  type ChannelAttempts,
  type NewChannelFailure,
  slotSeconds,
} from '../../store/channels/channel-health.ts';
import type { Database } from '../../store/database.ts';
import { bandOf } from '../../store/channels/latency-bands.ts';

/** The outcome of an attempt: `ok`, or the kind of failure. */
export type Outcome = 'ok' | ChannelErrorKind;

/** Counts attempts in memory and writes them now and then, so that a request costs no statement of its own. */
export interface ChannelTally {
  count(attempt: { readonly channelId: number; readonly outcome: Outcome; readonly ms: number }): void;
  /** Stores the message of a failure; of several in a short time only the latest of each channel. */
  keep(failure: Omit<NewChannelFailure, 'created_at'>): void;
  /** Writes what was counted so far. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface ChannelTallyDeps {
  readonly db: Database;
  readonly clock: { now(): number };
  onError(error: unknown): void;
}

const flushMs = 5000;
const keptAtOnce = 20;

/** One number for slot, outcome and band: attempts are counted in the path of every request. */
const outcomes: readonly Outcome[] = ['ok', ...channelErrorKinds];
const indexes = new Map(outcomes.map((outcome, index) => [outcome, index]));
const bands = 64;
const perSlot = outcomes.length * bands;

type Counts = Map<number, Map<number, number>>;

const add = (counts: Counts, channelId: number, index: number, by: number): void => {
  const ofChannel = counts.get(channelId) ?? new Map<number, number>();
  counts.set(channelId, ofChannel);
  ofChannel.set(index, (ofChannel.get(index) ?? 0) + by);
};

const rowsOf = (counts: Counts): ChannelAttempts[] =>
  [...counts].flatMap(([channelId, ofChannel]) =>
    [...ofChannel].map(([index, count]) => ({
      channel_id: channelId,
      slot: Math.floor(index / perSlot),
      outcome: outcomes[Math.floor((index % perSlot) / bands)] ?? 'ok',
      band: index % bands,
      count,
    })),
  );

export const createChannelTally = ({ db, clock, onError }: ChannelTallyDeps): ChannelTally => {
  let counts: Counts = new Map();
  let failures = new Map<number, NewChannelFailure[]>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (counts.size === 0) return;
    const [counted, kept] = [counts, failures];
    counts = new Map();
    failures = new Map();
    try {
      await addChannelAttempts(db, rowsOf(counted));
    } catch (error) {
      // They are written with the next ones.
      for (const [channelId, ofChannel] of counted)
        for (const [index, count] of ofChannel) add(counts, channelId, index, count);
      throw error;
    }
    await addChannelFailures(db, [...kept.values()].flat());
  };
  const flush = (): Promise<void> => (writing = writing.catch(() => undefined).then(write));
  const timer = setInterval(() => void flush().catch(onError), flushMs).unref();

  return {
    count: ({ channelId, outcome, ms }) => {
      const slot = Math.floor(clock.now() / 1000 / slotSeconds);
      add(counts, channelId, slot * perSlot + (indexes.get(outcome) ?? 0) * bands + bandOf(ms), 1);
    },
    keep: (failure) => {
      const ofChannel = failures.get(failure.channel_id) ?? [];
      failures.set(failure.channel_id, ofChannel);
      ofChannel.push({ ...failure, created_at: Math.floor(clock.now() / 1000) });
      if (ofChannel.length > keptAtOnce) ofChannel.shift();
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush().catch(onError);
    },
  };
};
