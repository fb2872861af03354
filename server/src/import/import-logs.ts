import { logType } from '@weir/contract/logs';
import type { Database } from '../store/database.ts';
import { addHours, advanceIds, allowLong, gatherStatistics, insertRows } from '../store/imports/import-rows.ts';
import { endImport, type ImportState, writeImportState } from '../store/imports/import-state.ts';
import { sumDaysAtOnce } from '../store/logs/log-days.ts';
import type { LogTotals } from '../store/imports/imported-rows.ts';
import { pagesIn } from './convert/convert-source.ts';
import { convertLog, type ImportedLog, sumHours } from './convert/logs.ts';
import type { Findings } from './findings.ts';
import { UnreadableValue } from './source-values.ts';
import type { Source, SourceRow } from './sources/source.ts';

interface Reading {
  readonly source: Source;
  readonly isNewApi: boolean;
  readonly findings: Findings;
}

const convertPage = (rows: readonly SourceRow[], reading: Reading): readonly ImportedLog[] =>
  rows.flatMap((row) => {
    try {
      return convertLog(row, reading) ?? [];
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      reading.findings.add('log_not_exact', { table: 'logs', id: error.id, detail: error.column });
      return [];
    }
  });

/** What the log of a source adds up to. */
export interface SourceLog {
  readonly rows: number;
  readonly totals: LogTotals;
}

const createCount = () => {
  let rows = 0;
  const totals = { requests: 0, quota: 0, promptTokens: 0, completionTokens: 0 };
  return {
    add: (logs: readonly ImportedLog[]) => {
      rows += logs.length;
      for (const { type, quota, prompt_tokens, completion_tokens } of logs) {
        if (type !== logType.consume) continue;
        totals.requests += 1;
        totals.quota += quota;
        totals.promptTokens += prompt_tokens;
        totals.completionTokens += completion_tokens;
      }
      return rows;
    },
    log: (): SourceLog => ({ rows, totals }),
  };
};

/** Reads a log without storing it: what of it cannot come over, and its sums. */
export const surveyLog = async (reading: Reading, until = Number.MAX_SAFE_INTEGER): Promise<SourceLog> => {
  const count = createCount();
  for await (const rows of pagesIn(reading.source, 'logs')) {
    const logs = convertPage(rows, reading);
    count.add(logs.filter(({ id }) => id <= until));
    if ((logs.at(-1)?.id ?? 0) >= until) break;
  }
  return count.log();
};

interface LogImport extends Reading {
  readonly db: Database;
  readonly state: ImportState;
  /** Called after every page with the number of rows of this run so far. */
  readonly onProgress: (rows: number) => void;
}

/**
 * Has the rows of a log follow those that are there, page by page: cut at any point, it goes on behind the last page.
 * Resolves to what was read of the source.
 */
export const importLogs = async ({ db, state, onProgress, ...reading }: LogImport): Promise<SourceLog> => {
  const count = createCount();
  for await (const rows of pagesIn(reading.source, 'logs', state.logId)) {
    const logs = convertPage(rows, reading);
    const last = logs.at(-1);
    if (last === undefined) continue;
    const hours = sumHours(logs);
    await db.write.transaction().execute(async (trx) => {
      await insertRows(trx, { kind: db.kind, table: 'logs', rows: logs });
      await addHours(trx, db.kind, hours);
      await writeImportState(trx, { ...state, logId: last.id });
    });
    onProgress(count.add(logs));
  }
  return count.log();
};

/** Sums the days of the log, and lets servers start. */
export const finishImport = (db: Database, now: number): Promise<void> =>
  db.write.transaction().execute(async (trx) => {
    await allowLong(trx, db.kind);
    await sumDaysAtOnce(trx, Math.floor(now / 86_400));
    await advanceIds(trx, db.kind);
    await gatherStatistics(trx, db.kind);
    await endImport(trx);
  });
