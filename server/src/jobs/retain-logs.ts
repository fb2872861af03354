import { AppError } from '../errors.ts';
import { archivedUntil } from '../store/archive/archived-months.ts';
import type { Database } from '../store/database.ts';
import type { LogClearing } from './clear-logs.ts';
import { startLoop } from './loop.ts';

const pauseMs = 60 * 60_000;
const daySeconds = 86_400;

interface RetainLogsDeps {
  readonly db: Pick<Database, 'read'>;
  readonly logClearing: Pick<LogClearing, 'clear'>;
  /** How long records are kept; 0: for good. */
  readonly keptDays: () => number;
  /** Records that are in no archive yet stay. */
  readonly archives: boolean;
  readonly clock: { now(): number };
  readonly log: { info(fields: object, text: string): void };
  readonly onError: (error: unknown) => void;
}

/**
 * Clears what is older than the days that the log is kept, as a clearing by hand does, but nothing that is still to be
 * archived. 0 days: everything is kept.
 */
export const retainLogs = async ({
  logClearing,
  keptDays,
  db,
  archives,
  clock,
  log,
}: Omit<RetainLogsDeps, 'onError'>): Promise<void> => {
  const days = keptDays();
  if (days <= 0) return;
  try {
    const before = Math.floor(clock.now() / 1000) - days * daySeconds;
    const { count, done } = await logClearing.clear(archives ? Math.min(before, await archivedUntil(db.read)) : before);
    if (count > 0) log.info({ days, rows: count, done }, 'old log records were cleared');
  } catch (error) {
    // Another clearing runs, here or on another node: the next hour is soon enough.
    if (!(error instanceof AppError && error.code === 'log_clearing_runs')) throw error;
  }
};

/** Looks every hour, until the returned function ends it. Not at the start: a wrong number can still be corrected. */
export const startLogRetention = (deps: RetainLogsDeps): (() => Promise<void>) =>
  startLoop(() => retainLogs(deps), { pauseMs, firstMs: pauseMs }, deps.onError);
