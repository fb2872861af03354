import type { Database } from '../store/database.ts';
import { leaveTask, ownTask } from '../store/nodes/own-task.ts';
import { closeMonths } from '../store/statements/close-months.ts';
import { startLoop } from './loop.ts';

const pauseMs = 10 * 60_000;
/** Seconds after which another node closes months. */
const lostSeconds = 1800;
const task = 'months';

interface CloseMonthsOptions {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly onError: (error: unknown) => void;
}

/** Closes months of the ledger on one node, now and every ten minutes, until the returned function ends it. */
export const startCloseMonths = ({ db, clock, onError }: CloseMonthsOptions): (() => Promise<void>) => {
  const close = async (): Promise<void> => {
    const now = Math.floor(clock.now() / 1000);
    if (await ownTask(db, { name: task, now, lostBefore: now - lostSeconds })) await closeMonths(db, now);
  };
  const end = startLoop(close, { pauseMs }, onError);
  return async () => {
    await end();
    await leaveTask(db, task).catch(onError);
  };
};
