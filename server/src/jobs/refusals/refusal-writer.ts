import type { Database } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import {
  addRefusals,
  addRefusalSums,
  inBatches,
  inKeyOrder,
  type RefusalSum,
  trimRefusals,
} from '../../store/refusals/refusals.ts';
import type { RelayMetrics } from '../relay-metrics.ts';
import type { RefusalCounts } from './refusal-counts.ts';
import { toRows, type WaitingRefusal } from './refusal-records.ts';

export interface RefusalWriterDeps {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly options: Pick<Options, 'get'>;
  readonly metrics: Pick<RelayMetrics, 'refused' | 'refusalsLost'>;
  onError(error: unknown): void;
}

/** Writes records and sums of refused calls a moment later, many at once, and deletes the oldest. */
export interface RefusalWriter {
  hasRoom(): boolean;
  keep(record: WaitingRefusal): void;
  /** There is something to write. */
  wake(): void;
  /** Ends once everything is written that can be. */
  close(): Promise<void>;
}

const flushMs = 250;
/** After a write that failed. */
const retryMs = 2000;
const trimMs = 60 * 60_000;
/** Records that are written between two trims: the table is larger than its bound by no more. */
const trimRows = 1000;
const waitingMax = 1000;
const daySeconds = 86_400;

/** Records and sums in memory; what cannot be written is given back, as far as there is room. */
const createQueue = ({ metrics }: RefusalWriterDeps, counts: RefusalCounts) => {
  let waiting: WaitingRefusal[] = [];
  return {
    hasRoom: () => waiting.length < waitingMax,
    add: (record: WaitingRefusal) => void waiting.push(record),
    take: () => {
      const records = waiting;
      waiting = [];
      return { sums: counts.take().toSorted(inKeyOrder), records };
    },
    giveBack: (sums: readonly RefusalSum[], records: readonly WaitingRefusal[]) => {
      const room = Math.max(0, waitingMax - waiting.length);
      counts.giveBack(sums);
      metrics.refusalsLost(Math.max(0, records.length - room));
      waiting = [...records.slice(0, room), ...waiting];
    },
  };
};

const trimNow = ({ db, clock, options }: RefusalWriterDeps): Promise<void> => {
  const before = Math.floor(clock.now() / 1000) - options.get('LogRefusalDays') * daySeconds;
  return trimRefusals(db, { before, rowsMax: options.get('LogRefusalRowsMax') });
};

/** Writes what is in the queue, in small statements. */
const createWrite = (deps: RefusalWriterDeps, queue: ReturnType<typeof createQueue>): (() => Promise<void>) => {
  const { db } = deps;
  let untrimmed = 0;
  return async () => {
    let { sums, records }: ReturnType<typeof queue.take> = queue.take();
    try {
      for (const batch of inBatches(sums)) {
        await addRefusalSums(db, batch);
        sums = sums.slice(batch.length);
      }
      for (const batch of inBatches(await toRows(records))) {
        await addRefusals(db, batch);
        records = records.slice(batch.length);
        untrimmed += batch.length;
      }
    } catch (error) {
      queue.giveBack(sums, records);
      throw error;
    }
    if (untrimmed < trimRows) return;
    untrimmed = 0;
    await trimNow(deps);
  };
};

export const createRefusalWriter = (deps: RefusalWriterDeps, counts: RefusalCounts): RefusalWriter => {
  const queue = createQueue(deps, counts);
  const write = createWrite(deps, queue);
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let delayMs = flushMs;
  let closed = false;

  /** One after the other. A failure is reported, and resolves to false. */
  const queueUp = (work: () => Promise<void>): Promise<boolean> => {
    const done = writing.then(work).then(
      () => true,
      (error: unknown) => {
        deps.onError(error);
        return false;
      },
    );
    writing = done.then(() => undefined);
    return done;
  };
  const schedule = (): void => {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void queueUp(write).then((isWritten) => {
        delayMs = isWritten ? flushMs : retryMs;
        if (!isWritten) schedule();
      });
    }, delayMs).unref();
  };
  const trimming = setInterval(() => void queueUp(() => trimNow(deps)), trimMs).unref();

  return {
    hasRoom: queue.hasRoom,
    keep: queue.add,
    wake: schedule,
    close: async () => {
      closed = true;
      clearInterval(trimming);
      clearTimeout(timer);
      await queueUp(write);
    },
  };
};
