import { parentPort, workerData } from 'node:worker_threads';
import { billFormats, type Statement } from '@weir/contract/bills/bills';
import * as v from 'valibot';
import { AppError, type ErrorCode } from '../../errors.ts';
import { readFetched, readReport } from './read-report.ts';

/** What the thread is to read: a report, or pages that were fetched. */
const workSchema = v.union([
  v.object({ report: v.string() }),
  v.object({ pages: v.array(v.string()), format: v.picklist(billFormats) }),
]);
export type ReportWork = v.InferInput<typeof workSchema>;

export type ReportOutcome =
  | { readonly statement: Statement }
  | { readonly fault: { readonly code: ErrorCode; readonly values: AppError['values'] } };

const read = (work: ReportWork): ReportOutcome => {
  try {
    return { statement: 'report' in work ? readReport(work.report) : readFetched(work.pages, work.format) };
  } catch (error) {
    if (error instanceof AppError) return { fault: { code: error.code, values: error.values } };
    throw error;
  }
};

parentPort?.postMessage(read(v.parse(workSchema, workerData)));
