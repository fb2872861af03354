import { setTimeout as pause } from 'node:timers/promises';
import { archiveMonth, archivePath } from '../backup/archive-month.ts';
import { hasOpenHold, monthToArchive } from '../store/archive/archived-months.ts';
import { foldNext, monthToFold } from '../store/archive/fold-uses.ts';
import type { Database } from '../store/database.ts';
import { leaveTask, ownTask } from '../store/nodes/own-task.ts';
import { lastClosedMonth } from '../store/statements/close-months.ts';
import { startLoop } from './loop.ts';

const pauseMs = 60 * 60_000;
/** A large month takes hours; meanwhile the work is claimed again and again. */
const claimEveryMs = 60_000;
/** Seconds without a claim after which another node archives. */
const lostSeconds = 3600;
/** Between two pieces, so that calls are settled as fast as before. */
const restMs = 20;
const task = 'archive';

interface ArchiveMonthsDeps {
  readonly db: Database;
  /** The folder of all archives. */
  readonly parent: string;
  /** Closed months that stay in the ledger. */
  readonly keptMonths: number;
  readonly clock: { now(): number };
  readonly log: { info(fields: object, text: string): void };
}

/** Takes the uses of archived months out of the ledger, and goes on where a process was killed. */
const foldArchived = async (db: Database, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const archive = await monthToFold(db.read);
    if (archive === undefined) return;
    while ((await foldNext(db, archive.month)) < archive.last_id) await pause(restMs, undefined, { signal });
  }
};

/** Archives every closed month but the last ones, the oldest first, and folds their uses. */
export const archiveMonths = async (
  { db, parent, keptMonths, clock, log }: ArchiveMonthsDeps,
  signal: AbortSignal,
): Promise<void> => {
  await foldArchived(db, signal);
  const closed = await lastClosedMonth(db.read);
  if (closed === undefined) return;
  for (;;) {
    const month = await monthToArchive(db.read, closed.month - keptMonths);
    if (month === undefined || (await hasOpenHold(db.read, month.month))) return;
    const rows = await archiveMonth(db, month, { parent, now: clock.now(), signal });
    log.info({ rows, archive: archivePath(parent, month.month) }, 'a closed month was archived');
    await foldArchived(db, signal);
  }
};

/** Archives on one node, now and every hour, until the returned function ends it. */
export const startArchiveMonths = (
  deps: ArchiveMonthsDeps & { readonly onError: (error: unknown) => void },
): (() => Promise<void>) => {
  const { db, clock, onError } = deps;
  const claim = (): Promise<boolean> => {
    const now = Math.floor(clock.now() / 1000);
    return ownTask(db, { name: task, now, lostBefore: now - lostSeconds });
  };
  const archive = async (signal: AbortSignal): Promise<void> => {
    if (!(await claim())) return;
    const lost = new AbortController();
    const renewing = setInterval(() => void claim().then((owns) => owns || lost.abort(), onError), claimEveryMs);
    try {
      await archiveMonths(deps, AbortSignal.any([signal, lost.signal]));
    } finally {
      clearInterval(renewing);
    }
  };
  const end = startLoop(archive, { pauseMs }, onError);
  return async () => {
    await end();
    await leaveTask(db, task).catch(onError);
  };
};
