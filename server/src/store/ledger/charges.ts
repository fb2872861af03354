import { logType } from '@weir/contract/logs';
import type { Selectable } from 'kysely';
import type { Database } from '../database.ts';
import { useKey } from './accounts-state.ts';
import type { LedgerTable, LogsTable } from '../schema.ts';

/** A log row of consumption, and the ledger entry that it reports. */
export interface StoredCharge {
  readonly row: Selectable<LogsTable>;
  /** Undefined where the ledger knows no charge of the request. */
  readonly entry: Selectable<LedgerTable> | undefined;
}

/** The charge that a log row reports; undefined where there is no such row, or it reports none. */
export const findCharge = async ({ read }: Database, logId: number): Promise<StoredCharge | undefined> => {
  const row = await read.selectFrom('logs').selectAll().where('id', '=', logId).executeTakeFirst();
  if (row === undefined || row.type !== logType.consume) return undefined;
  const entry = await read
    .selectFrom('ledger')
    .selectAll()
    .where('op_key', '=', useKey(row.request_id))
    .executeTakeFirst();
  return { row, entry };
};
