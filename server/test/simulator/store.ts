import type { NodeIdentity } from '../../src/store/ledger/accounts-state.ts';
import { SqliteError } from '../../src/store/engine/database-error.ts';
import { postAlone } from '../../src/store/engine/sqlite/post-alone.ts';
import type { PostingUnit } from '../../src/store/engine/posting-queue.ts';
import type { BatchOutcome } from '../../src/store/engine/posting-writer.ts';
import { needsOf } from '../../src/store/ledger/accounts-state.ts';
import { decodePostings, encodeResults } from '../../src/store/ledger/posting-codec.ts';
import { translate, type WriterLink } from '../../src/store/engine/sqlite/sqlite-writer-link.ts';
import type { Posting, PostingResult } from '../../src/store/ledger/postings.ts';
import type { SimulatedAccounts } from './simulated-accounts.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** How often a commit ends otherwise than well. */
export interface StoreFaults {
  /** Undone: deadlock, a full disk, a lock that another process holds. */
  readonly undone: number;
  /** Of PostgreSQL: its answer is lost, whether it was done or not. */
  readonly lost: number;
  /** Spans of time in which nothing reaches the database. */
  readonly outages: readonly { readonly from: number; readonly until: number }[];
  /**
   * Of PostgreSQL: when a standby takes over that lacks the last commits which were not answered, and how many answered ones
   * before them: with a standby that is waited for none.
   */
  readonly failOvers: readonly { readonly at: number; readonly answered: number }[];
  /** Of PostgreSQL: spans of time in which another session has locked the row of an account. */
  readonly locks: readonly { readonly userId: number; readonly from: number; readonly until: number }[];
}

/** A connection of one process, which ends with it. */
export interface Connection {
  readonly identity: NodeIdentity;
  isAlive(): boolean;
  /** It was lost and is open again. */
  onReconnect(): void;
  /** What was sent and not answered; each is done, or not, when the process dies. */
  readonly sent: Set<() => void>;
}

/** A database that commits, undoes, falls silent and is away, as the seed wants it. */
export interface SimulatedStore {
  readonly storedAccounts: SimulatedAccounts;
  /** The writer thread of a process on SQLite. */
  linkOf(connection: Connection): WriterLink;
  /** One attempt of a process on PostgreSQL. */
  attemptOn(connection: Connection): (units: readonly PostingUnit[], lockWaitMs: number) => Promise<BatchOutcome>;
  /** A standby takes over. */
  failOver(answeredMax: number): void;
  /** Faults end: what follows is the calm after the storm. */
  calm(): void;
}

interface StoreOptions {
  readonly storedAccounts: SimulatedAccounts;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly faults: StoreFaults;
  /** ReadAnswer of each batch as it becomes durable. */
  onCommit(postings: readonly Posting[], results: readonly PostingResult[]): void;
  /** Before a commit: the returned function takes back what `onCommit` told since. */
  markCommit(): () => void;
  /** A fail-over lost a commit that had been answered. */
  onBrokenPromise(): void;
}

/** A commit that a fail-over may lose as long as it is not answered. */
interface Commit {
  isAnswered: boolean;
  readonly undo: () => void;
}

/** A management call whose rows the database refuses: nothing of its batch may stay. */
export const poison = 'poison';
const isPoison = (posting: Posting): boolean => posting.kind === 'credit' && posting.opKey.startsWith(poison);

const sqliteErrors = [
  { message: 'database or disk is full', code: 'ERR_SQLITE_ERROR', errcode: 13 },
  { message: 'database is locked', code: 'ERR_SQLITE_ERROR', errcode: 5 },
] as const;
const refusedRow = { message: 'CHECK constraint failed', code: 'ERR_SQLITE_ERROR', errcode: 275 };

export const createStore = (options: StoreOptions): SimulatedStore => {
  const { storedAccounts, scheduler, random, faults, onCommit } = options;
  const commits: Commit[] = [];
  /** Counts fail-overs. */
  let server = 0;
  let stormy = true;
  const away = () =>
    stormy && faults.outages.some(({ from, until }) => scheduler.now() >= from && scheduler.now() < until);
  const lockedUsers = (): ReadonlySet<number> => {
    const now = scheduler.now();
    const locks = stormy ? faults.locks.filter(({ from, until }) => now >= from && now < until) : [];
    return new Set(locks.map(({ userId }) => userId));
  };
  const wait = (ms: number) => new Promise<void>((resolve) => void scheduler.after(ms, resolve));
  const commit = (postings: readonly Posting[], identity: NodeIdentity): readonly PostingResult[] => {
    const undoRows = storedAccounts.mark();
    const undoNews = options.markCommit();
    const results = storedAccounts.post(postings, identity);
    onCommit(postings, results);
    commits.push({
      isAnswered: false,
      undo: () => {
        undoRows();
        undoNews();
      },
    });
    return results;
  };
  const failOver = (answeredMax: number) => {
    server += 1;
    const answered = commits.findLastIndex(({ isAnswered }) => isAnswered) + 1;
    const kept = random.whole(Math.max(0, answered - answeredMax), commits.length);
    commits[kept]?.undo();
    if (kept < answered) options.onBrokenPromise();
    commits.length = 0;
  };

  /** Does something on the other side; a process that dies meanwhile does not know whether it was done. */
  const remotely = async <Value>({ sent, isAlive }: Connection, act: () => Value): Promise<Value> => {
    let result: { readonly value: Value } | undefined;
    let failure: unknown;
    let open = true;
    const once = () => {
      if (!open) return;
      open = false;
      try {
        result = { value: act() };
      } catch (error) {
        failure = error;
      }
    };
    sent.add(once);
    await wait(random.next() * 4);
    if (isAlive()) once();
    sent.delete(once);
    // An answer may be slow, and other transactions are faster.
    await wait(random.next() * (random.chance(0.1) ? 60 : 2));
    if (!isAlive()) return new Promise<never>(() => undefined);
    if (result === undefined) throw failure;
    return result.value;
  };

  const commitAlone = (postings: readonly Posting[], identity: NodeIdentity) =>
    postAlone(postings, (posting) =>
      isPoison(posting) ? { error: refusedRow } : { value: commit([posting], identity)[0] },
    );

  const linkOf = (connection: Connection): WriterLink => ({
    call: async (message) => {
      if (message.kind !== 'batch') throw new Error(`no ${message.kind} in a simulation`);
      const postings = decodePostings(message.postings);
      const fails = (stormy && random.chance(faults.undone)) || away();
      try {
        return await remotely(connection, () => {
          if (fails) throw new SqliteError(random.pick(sqliteErrors));
          if (postings.some(isPoison)) return { units: [], postings: commitAlone(postings, connection.identity) };
          return { units: [], postings: { results: encodeResults(commit(postings, connection.identity)), errors: [] } };
        });
      } catch (error) {
        throw translate(error);
      }
    },
    close: () => Promise.resolve(),
  });

  const attemptOn =
    (connection: Connection) =>
    async (units: readonly PostingUnit[], lockWaitMs: number): Promise<BatchOutcome> => {
      if (away()) {
        await wait(20 + random.next() * 1000);
        connection.onReconnect();
        return { kind: 'again' };
      }
      const postings = units.map((unit) => unit.posting);
      const locked = lockedUsers();
      const isLocked = (posting: Posting) => [...needsOf([posting]).users].some((userId) => locked.has(userId));
      if (lockWaitMs > 0 && postings.some(isLocked)) {
        await wait(lockWaitMs);
        return { kind: 'locked' };
      }
      if (stormy && random.chance(faults.undone)) {
        await wait(random.next() * 20);
        return { kind: 'again' };
      }
      const silent = stormy && random.chance(faults.lost);
      const happens = !silent || random.chance(0.5);
      const free = postings.filter((posting) => !isLocked(posting));
      if (free.some(isPoison)) return { kind: 'failed', error: new Error('a row was refused') };
      const asked = server;
      let done: Commit | undefined;
      const results = await remotely(connection, () => {
        if (!happens || server !== asked) return [];
        const answers = commit(free, connection.identity);
        done = commits.at(-1);
        return answers;
      });
      if (silent || server !== asked) {
        // No answer: another connection is opened, and the batch is tried again whatever became of it.
        await wait(20 + random.next() * 200);
        connection.onReconnect();
        return { kind: 'again' };
      }
      if (done !== undefined) done.isAnswered = true;
      const resultOf = new Map(free.map((posting, index) => [posting, results[index]]));
      return { kind: 'done', results: postings.map((posting) => resultOf.get(posting)) };
    };

  return {
    storedAccounts,
    linkOf,
    attemptOn,
    failOver,
    calm: () => void (stormy = false),
  };
};
