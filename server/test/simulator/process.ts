import { createAccounts, type Accounts } from '../../src/billing/accounts.ts';
import type { NodeIdentity } from '../../src/store/ledger/accounts-state.ts';
import { createPostingWriter } from '../../src/store/engine/posting-writer.ts';
import { createSqliteWriter } from '../../src/store/engine/sqlite/sqlite-writer.ts';
import type { Change, Changes, Topic } from '../../src/store/nodes/changes.ts';
import type { Posting, PostingResult } from '../../src/store/ledger/postings.ts';
import type { HoldsTable } from '../../src/store/schema.ts';
import { periodsNamed } from '../../src/store/ledger/period-names.ts';
import { endingOf } from '../../src/store/ledger/recover-holds.ts';
import type { Random } from './random.ts';
import { type Scheduler, timersOf } from './scheduler.ts';
import type { Connection, SimulatedStore } from './store.ts';
import type { Observations } from './observations.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** One run of a gateway's process: from its start to its death. */
export interface SimulatedProcess {
  readonly identity: NodeIdentity;
  /** Milliseconds on the node's own clock. */
  now(): number;
  readonly accounts: Accounts;
  isAlive(): boolean;
  /** Ends what earlier runs of the node left open. */
  recover(): Promise<void>;
  /** Ends the holds whose end the database did not take, as the reconciliation does. */
  endLeft(): Promise<void>;
  post(posting: Posting): Promise<PostingResult>;
  /** A management call: on PostgreSQL, but for top-ups, a transaction of its own between any two batches. */
  manage(posting: Posting): Promise<PostingResult>;
  /** This process got the answer to a change of an account. */
  hear(change: Change): void;
  /** Dies. What was on its way to the database is done there, or not. */
  kill(): void;
}

interface ProcessOptions {
  readonly kind: StoreKind;
  readonly identity: NodeIdentity;
  readonly clockMs: number;
  readonly store: SimulatedStore;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly observations: Pick<Observations, 'hear' | 'notePending'>;
  onError(error: unknown): void;
}

/** Only a database that is away for so long keeps a request from its end. */
const endingWaitMs = 120_000;

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
  const { kind, identity, clockMs, store, scheduler, random, observations, onError } = options;
  let alive = true;
  const isAlive = () => alive;
  const connection: Connection = { identity, isAlive, sent: new Set(), onReconnect: () => accounts.invalidate() };
  const timers = timersOf(scheduler, isAlive, clockMs);
  const writer =
    kind === 'sqlite'
      ? createSqliteWriter(store.linkOf(connection), timers)
      : createPostingWriter({ attempt: store.attemptOn(connection), close: () => Promise.resolve(), timers });
  /** A resolved promise means that the posting is durable: the judge holds the ledger to it. */
  const postOn =
    (queue: Pick<typeof writer, 'post'>) =>
    async (posting: Posting): Promise<PostingResult> => {
      const ended = observations.notePending(posting);
      const since = scheduler.now();
      const result = await queue
        .post(posting)
        .catch((error: unknown) => {
          const ends = posting.kind === 'settle' || posting.kind === 'release';
          const waitedMs = scheduler.now() - since;
          if (ends && waitedMs < endingWaitMs)
            onError(new Error(`L10 the end of ${posting.requestId} failed too soon`));
          throw error;
        })
        .finally(ended);
      observations.hear(posting, result);
      return result;
    };
  const post = postOn(writer);
  const manager =
    kind === 'sqlite'
      ? writer
      : createPostingWriter({ attempt: store.attemptOn(connection), close: () => Promise.resolve(), timers });
  const manage = postOn(manager);
  const feed = createFeed();
  const { storedAccounts } = store;
  const accounts = createAccounts({ db: { kind, post }, changes: feed, timers, onError });
  const endAll = async (concerns: (hold: HoldsTable) => boolean): Promise<readonly HoldsTable[]> => {
    const lost = [...storedAccounts.holds.values()].filter(concerns);
    const now = Math.floor(timers.now() / 1000);
    await Promise.all(lost.map((hold) => post(endingOf({ ...hold, username: null, token_name: null }, now, false))));
    return lost;
  };
  return {
    identity,
    now: timers.now,
    accounts,
    isAlive,
    recover: async () => void (await endAll(({ node, epoch }) => node === identity.node && epoch < identity.epoch)),
    endLeft: async () => {
      const ended = await endAll(({ request_id }) => accounts.leftHolds.has(request_id));
      for (const { user_id, token_id, budgets } of ended) {
        for (const { id } of periodsNamed(budgets)) feed.hear({ topic: 'period', id });
        feed.hear({ topic: 'user', id: user_id });
        feed.hear({ topic: 'token', id: token_id });
      }
    },
    post,
    manage: (posting) => (posting.kind === 'credit' && posting.amount > 0 ? post(posting) : manage(posting)),
    hear: feed.hear,
    kill: () => {
      alive = false;
      for (const act of connection.sent) if (random.chance(0.5)) act();
    },
  };
};
