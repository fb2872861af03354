import { AppError } from '../../errors.ts';
import type { Posting, PostingResult } from '../ledger/postings.ts';
import type { EventLoopTimers } from '../ledger/event-loop-timers.ts';

/** New paid work is refused soon while the database is away; what ends a request waits for it to come back. */
const newWorkWaitMs = 2000;
/** Longer than a database that is started anew or failed over is away. */
const waitMs = 120_000;
const sweepMs = 100;
/** For rows that are shared with other nodes, which hold them for one commit. */
export const sharedLockWaitMs = 500;
/**
 * For rows that stayed locked for longer. It doubles with every try: on a slow machine a busy node's commit may take long,
 * and this one must get its turn. The pause after it leaves four fifths of the time to all other accounts.
 */
const lockedWaitMs = { least: 20, most: 240 } as const;
const pausePerWait = 4;

/** A posting that is not committed yet. */
export interface PostingUnit {
  readonly posting: Posting;
  /** False once it was answered, or given up because it waited too long. */
  readonly waits: boolean;
  resolve(result: PostingResult): void;
  reject(error: Error): void;
}

interface UnitOptions extends Pick<PostingUnit, 'posting' | 'resolve' | 'reject'> {
  /** The units that are not answered. */
  readonly waiting: Set<TimedUnit>;
  /** On the monotonic clock. */
  readonly since: number;
}

/** It waits until it is answered. A class, as each call makes one: an object with an accessor of its own takes 1 µs longer. */
class TimedUnit implements PostingUnit {
  readonly posting: Posting;
  readonly since: number;
  /** A row of its account is locked elsewhere. */
  apart = false;
  /** Since then. */
  tries = 0;
  readonly #answer: UnitOptions;

  constructor(options: UnitOptions) {
    this.posting = options.posting;
    this.since = options.since;
    this.#answer = options;
    options.waiting.add(this);
  }

  get waits(): boolean {
    return this.#answer.waiting.has(this);
  }

  resolve(result: PostingResult): void {
    this.#answer.waiting.delete(this);
    this.#answer.resolve(result);
  }

  reject(error: Error): void {
    this.#answer.waiting.delete(this);
    this.#answer.reject(error);
  }
}

/** Postings for one commit. */
export interface PostingBatch {
  readonly units: readonly PostingUnit[];
  /** Milliseconds that it may wait for a row which is locked elsewhere. */
  readonly lockWaitMs: number;
}

const noAccount = 0;
const accountOf = (posting: Posting): number => ('userId' in posting ? posting.userId : noAccount);

const isNewWork = ({ kind }: Posting): boolean => kind === 'hold' || kind === 'extend' || kind === 'look';

/** Postings of accounts with a row that is locked elsewhere: they are tried again after a pause. */
const createLockedAccounts = (timers: EventLoopTimers) => {
  let locked: TimedUnit[] = [];
  /** On the monotonic clock. */
  let dueAt = 0;
  let lockWaitMs: number = lockedWaitMs.least;
  const add = (units: readonly TimedUnit[]) => {
    for (const unit of units) unit.apart = true;
    locked.push(...units);
  };
  return {
    lockWaitMs: () => lockWaitMs,
    dueIn: () => (locked.length === 0 ? undefined : Math.max(0, dueAt - timers.now())),
    /** After a try. */
    addTried: (units: readonly TimedUnit[]) => {
      dueAt = timers.now() + pausePerWait * lockWaitMs;
      add(units);
    },
    /** Empty: none is due. */
    take: (max: number): readonly PostingUnit[] => {
      locked = locked.filter((unit) => unit.waits);
      if (timers.now() < dueAt) return [];
      const units = locked.slice(0, max);
      locked = locked.slice(max);
      const met = units.some(({ tries }) => tries > 0);
      lockWaitMs = met ? Math.min(lockedWaitMs.most, 2 * lockWaitMs) : lockedWaitMs.least;
      for (const unit of units) unit.tries += 1;
      return units;
    },
    /** Keeps those whose account waits here; returns the others. */
    separate: (units: readonly TimedUnit[]): readonly PostingUnit[] => {
      const accounts = new Set(locked.map(({ posting }) => accountOf(posting)));
      accounts.delete(noAccount);
      add(units.filter(({ posting }) => accounts.has(accountOf(posting))));
      return units.filter((unit) => !unit.apart);
    },
  };
};

/**
 * Postings in the order they came, each given up with `unavailable` at its own limit, even while it is being tried.
 * `progressedAt` (monotonic clock) is when the database last answered: a long queue alone refuses nothing. Accounts with
 * a row that is locked elsewhere wait apart and keep no other account waiting.
 */
export const createPostingQueue = (timers: EventLoopTimers, progressedAt: () => number) => {
  const waiting = new Set<TimedUnit>();
  let queue: TimedUnit[] = [];
  const lockedAccounts = createLockedAccounts(timers);
  let stopSweeping: (() => void) | undefined;

  /** The end of the last time in which this process itself stood still: that is no fault of the database. */
  let stoodStillUntil = 0;
  let dueAt = 0;

  const plan = () => {
    dueAt = timers.now() + sweepMs;
    return timers.after(sweepMs, sweep);
  };
  const sweep = () => {
    const now = timers.now();
    if (now - dueAt > sweepMs) stoodStillUntil = now;
    const since = (then: number) => now - Math.max(then, stoodStillUntil);
    const away = since(progressedAt()) > newWorkWaitMs;
    for (const unit of waiting) {
      const waited = since(unit.since);
      if (waited > waitMs || ((away || unit.apart) && waited > newWorkWaitMs && isNewWork(unit.posting))) {
        unit.reject(new AppError('unavailable'));
      }
    }
    stopSweeping = waiting.size > 0 ? plan() : undefined;
  };
  /** In the order in which they came. */
  const ofThese = (units: readonly PostingUnit[]): TimedUnit[] => {
    const wanted = new Set(units);
    return units.length === 0 ? [] : [...waiting].filter((unit) => wanted.has(unit));
  };
  return {
    size: () => queue.length,
    /** Milliseconds until accounts that wait apart are tried again; undefined: none waits. */
    apartDueIn: lockedAccounts.dueIn,
    /** Keeps what met a locked row for a later try. */
    setApart: (units: readonly PostingUnit[]) => {
      if (units.length > 0) lockedAccounts.addTried(ofThese(units));
    },
    add: (posting: Posting) =>
      new Promise<PostingResult>((resolve, reject) => {
        queue.push(new TimedUnit({ posting, since: timers.now(), waiting, resolve, reject }));
        stopSweeping ??= plan();
      }),
    /** Units of the last batch, to be taken first again. */
    putBack: (units: readonly PostingUnit[]) => {
      queue = [...ofThese(units), ...queue];
    },
    take: (max: number): PostingBatch => {
      const due = lockedAccounts.take(max);
      if (due.length > 0) return { units: due, lockWaitMs: lockedAccounts.lockWaitMs() };
      const taken = queue.slice(0, max).filter((unit) => unit.waits);
      queue = queue.slice(max);
      return { units: lockedAccounts.separate(taken), lockWaitMs: sharedLockWaitMs };
    },
    close: () => stopSweeping?.(),
  };
};
