import { createAccounts, type Accounts } from '../../src/billing/accounts.ts';
import type { NodeIdentity } from '../../src/store/ledger/accounts-state.ts';
import { createPostingWriter } from '../../src/store/engine/posting-writer.ts';
import { createSqliteWriter } from '../../src/store/engine/sqlite/sqlite-writer.ts';
import type { Change, Changes, Topic } from '../../src/store/nodes/changes.ts';
import type { Posting, PostingResult } from '../../src/store/ledger/postings.ts';
import { endingOf } from '../../src/store/ledger/recover-holds.ts';
import type { Random } from './random.ts';
import { type Scheduler, timersOf } from './scheduler.ts';
import type { Connection, SimulatedStore } from './store.ts';
import type { Observations } from './witness.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** One run of a gateway's process: from its start to its death. */
export interface SimulatedProcess {
  readonly identity: NodeIdentity;
  readonly accounts: Accounts;
  isAlive(): boolean;
  /** Ends what earlier runs of the node left open. */
  recover(): Promise<void>;
  post(posting: Posting): Promise<PostingResult>;
  /** This process got the answer to a change of an account. */
  hear(change: Change): void;
  /** Dies. What was on its way to the database is done there, or not. */
  kill(): void;
}

interface ProcessOptions {
  readonly kind: StoreKind;
  readonly identity: NodeIdentity;
  readonly store: SimulatedStore;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly observations: Pick<Observations, 'hear' | 'noteEnding'>;
  onError(error: unknown): void;
}

const createFeed = () => {
  const listeners = new Map<Topic, (change: Change) => void>();
  const subscribe: Changes['subscribe'] = (topic, listener) => {
    listeners.set(topic, listener);
    return () => void listeners.delete(topic);
  };
  return { subscribe, hear: (change: Change) => listeners.get(change.topic)?.(change) };
};

/** Starts the real money core over a simulated database, clock and network. */
export const startProcess = (options: ProcessOptions): SimulatedProcess => {
  const { kind, identity, store, scheduler, random, observations, onError } = options;
  let alive = true;
  const isAlive = () => alive;
  const connection: Connection = { identity, isAlive, sent: new Set() };
  const timers = timersOf(scheduler, isAlive);
  const writer =
    kind === 'sqlite'
      ? createSqliteWriter(store.linkOf(connection), timers)
      : createPostingWriter({ attempt: store.attemptOn(connection), close: () => Promise.resolve(), timers });
  /** The one who is told that a posting is durable may rely on it. */
  const post = async (posting: Posting): Promise<PostingResult> => {
    const ended = observations.noteEnding(posting);
    const result = await writer.post(posting).finally(ended);
    observations.hear(posting, result);
    return result;
  };
  const feed = createFeed();
  const { books } = store;
  const accounts = createAccounts({ db: { post }, changes: feed, timers, onError });
  return {
    identity,
    accounts,
    isAlive,
    recover: async () => {
      const { node, epoch } = identity;
      const isLost = (hold: { readonly node: string; readonly epoch: number }) =>
        hold.node === node && hold.epoch < epoch;
      const lost = [...books.holds.values()].filter(isLost);
      const now = Math.floor(scheduler.now() / 1000);
      await Promise.all(lost.map((hold) => post(endingOf({ ...hold, username: null, token_name: null }, now, false))));
    },
    post,
    hear: feed.hear,
    kill: () => {
      alive = false;
      for (const act of connection.sent) if (random.chance(0.5)) act();
    },
  };
};
