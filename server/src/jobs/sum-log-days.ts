import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../store/database.ts';
import { checkNewestDays, sumNextHour, sumNextHourByName } from '../store/logs/log-days.ts';
import { startLoop } from './loop.ts';

const pauseMs = 10 * 60_000;
const hourMs = 3_600_000;
/** Hours after its end in which an hour may still get a row: a settlement waits a minute, a clock may be wrong. */
const openHours = 2;
/** Days whose sums are compared with their hours at every run: three, and the one that has begun. */
const checkedDays = 4;

interface SumLogDaysOptions {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly onError: (error: unknown) => void;
}

/** Adds every closed hour of the log to the sums by day and by name, and leaves most of the writer's time to requests. */
export const sumLogDays = async (
  { db, clock }: Omit<SumLogDaysOptions, 'onError'>,
  signal?: AbortSignal,
): Promise<void> => {
  const before = Math.floor(clock.now() / hourMs) - openHours;
  while (signal?.aborted !== true) {
    const started = performance.now();
    if (!(await sumNextHour(db, before)) && !(await sumNextHourByName(db))) return checkNewestDays(db, checkedDays);
    await sleep(performance.now() - started);
  }
};

/** Sums now and every ten minutes, until the returned function ends it. */
export const startSumLogDays = (options: SumLogDaysOptions): (() => Promise<void>) =>
  startLoop((signal) => sumLogDays(options, signal), { pauseMs }, options.onError);
