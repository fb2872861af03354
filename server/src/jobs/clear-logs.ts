import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Database } from '../store/database.ts';
import { claimLogClearing, clearOldestLogs, releaseLogClearing } from '../store/logs/log-clearing.ts';
import { deleteLeftDays } from '../store/logs/log-days.ts';
import { deleteRefusalsBefore } from '../store/refusals/refusals.ts';

/** The response must be sent before a browser or a proxy times out. */
const patienceMs = 45_000;

/** The progress of a clearing when the response is sent. */
export interface Cleared {
  readonly count: number;
  /** False: the clearing continues after the response. */
  readonly done: boolean;
}

export interface LogClearing {
  /**
   * Deletes the log rows and the refused calls before a time (unix seconds). Throws `log_clearing_runs` where one runs already, here or on
   * another node.
   */
  clear(before: number): Promise<Cleared>;
  /** Stops after the transaction in flight. What is left stays. */
  close(): Promise<void>;
}

interface LogClearingDeps {
  readonly db: Database;
  readonly onError: (error: unknown) => void;
  /** Milliseconds; absent: what browsers and proxies wait for. */
  readonly patience?: number;
}

/** Clears the log in small transactions that leave at least half of the writer's time to requests. */
export const createLogClearing = ({ db, onError, patience = patienceMs }: LogClearingDeps): LogClearing => {
  let closed = false;
  let running: Promise<void> | undefined;
  let busy = false;

  const claim = async (): Promise<boolean> => {
    if (closed || busy) return false;
    busy = true;
    try {
      busy = await claimLogClearing(db);
      return busy;
    } catch (error) {
      busy = false;
      throw error;
    }
  };
  const run = async (before: number, progress: { count: number }): Promise<void> => {
    const step = async (): Promise<boolean> => {
      const gone = await clearOldestLogs(db, before);
      progress.count += gone;
      return gone > 0;
    };
    const repeat = async (work: () => Promise<boolean>): Promise<void> => {
      while (!closed) {
        const started = performance.now();
        if (!(await work())) return;
        await sleep(performance.now() - started);
      }
    };
    try {
      await repeat(step);
      await repeat(() => deleteLeftDays(db));
      if (!closed) progress.count += await deleteRefusalsBefore(db, before);
    } finally {
      busy = false;
      await releaseLogClearing(db);
    }
  };

  return {
    clear: async (before) => {
      if (!(await claim())) throw new AppError('log_clearing_runs');
      const progress = { count: 0 };
      const clearing = run(before, progress);
      running = clearing.catch(onError);
      const timeout = new AbortController();
      const waiting = sleep(patience, false, { signal: timeout.signal }).catch(() => false);
      const done = await Promise.race([clearing.then(() => true), waiting]);
      timeout.abort();
      return { count: progress.count, done };
    },
    close: async () => {
      closed = true;
      await running;
    },
  };
};
