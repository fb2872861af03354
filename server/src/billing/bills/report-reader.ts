import { Worker } from 'node:worker_threads';
import type { Statement } from '@weir/contract/bills/bills';
import { AppError } from '../../errors.ts';
import type { ReportOutcome, ReportWork } from './report-reader-thread.ts';

/** MiB: a report of 20 MB takes a tenth of it, and a process beside relayed calls must not end for one. */
const heapMb = 1024;

const run = (work: ReportWork): Promise<ReportOutcome> => {
  const worker = new Worker(new URL('./report-reader-thread.ts', import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that reads reports did not respond')));
  });
};

/**
 * Reads reports in a thread for each, one after the other: 20 MB take seconds in which relayed calls would wait.
 */
export const createReportReader = (): ((work: ReportWork) => Promise<Statement>) => {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const outcome = last.then(() => run(work));
    last = outcome.catch(() => undefined);
    const read = await outcome;
    if ('fault' in read) throw new AppError(read.fault.code, read.fault.values);
    return read.statement;
  };
};
