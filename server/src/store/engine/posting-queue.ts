import { AppError } from '../../errors.ts';
import type { Posting, PostingResult } from '../ledger/postings.ts';
import type { EventLoopTimers } from '../ledger/event-loop-timers.ts';

/** New paid work is refused soon while the database is away; what ends a request waits for it to come back. */
const newWorkWaitMs = 2000;
/** Longer than a database that is started anew or failed over is away. */
const waitMs = 120_000;
const sweepMs = 100;

/** A posting that is not committed yet. */
export interface PostingUnit {
  readonly posting: Posting;
  /** False once it was answered, or given up because it waited too long. */
  readonly waits: boolean;
  resolve(result: PostingResult | undefined): void;
  reject(error: Error): void;
}

interface TimedUnit extends PostingUnit {
  /** On the monotonic clock. */
  readonly since: number;
}

const isNewWork = ({ kind }: Posting): boolean => kind === 'hold' || kind === 'extend' || kind === 'look';

/**
 * Postings in the order they came, each given up with `unavailable` at its own limit, even while it is being tried.
 * `progressedAt` (monotonic clock) is when the database last answered: a long queue alone refuses nothing.
 */
export const createPostingQueue = (timers: EventLoopTimers, progressedAt: () => number) => {
  const waiting = new Set<TimedUnit>();
  let queue: PostingUnit[] = [];
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
      if (waited > waitMs || (away && waited > newWorkWaitMs && isNewWork(unit.posting))) {
        unit.reject(new AppError('unavailable'));
      }
    }
    stopSweeping = waiting.size > 0 ? plan() : undefined;
  };
  return {
    size: () => queue.length,
    add: (posting: Posting) =>
      new Promise<PostingResult>((resolve, reject) => {
        const unit: TimedUnit = {
          posting,
          since: timers.now(),
          get waits() {
            return waiting.has(unit);
          },
          resolve: (result) => {
            waiting.delete(unit);
            if (result === undefined) reject(new AppError('unavailable'));
            else resolve(result);
          },
          reject: (error) => {
            waiting.delete(unit);
            reject(error);
          },
        };
        waiting.add(unit);
        queue.push(unit);
        stopSweeping ??= plan();
      }),
    take: (max: number): readonly PostingUnit[] => {
      const taken = queue.slice(0, max).filter((unit) => unit.waits);
      queue = queue.slice(max);
      return taken;
    },
    close: () => stopSweeping?.(),
  };
};
