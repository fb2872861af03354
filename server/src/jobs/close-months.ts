import type { Database } from '../store/database.ts';
import { closeMonths } from '../store/statements/close-months.ts';

const everyMs = 10 * 60_000;

interface CloseMonthsOptions {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly onError: (error: unknown) => void;
}

/** Closes months of the ledger now and every ten minutes, until the returned function ends it. */
export const startCloseMonths = ({ db, clock, onError }: CloseMonthsOptions): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running.then(() => closeMonths(db, Math.floor(clock.now() / 1000))).catch(onError);
  };
  const timer = setInterval(run, everyMs).unref();
  run();
  return async () => {
    clearInterval(timer);
    await running;
  };
};
