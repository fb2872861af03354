import { type Log, logType } from '@weir/contract/logs';
import type { Database } from '../../store/database.ts';
import type { LogFilter } from '../../store/logs/log-filter.ts';
import { searchLogs } from '../../store/logs/log-search.ts';
import { listLogs, type LogKey, type LogRow, readLogs } from '../../store/logs/logs.ts';
import { listRefusals, readRefusals, searchRefusals } from '../../store/refusals/refusal-list.ts';
import { toLogs, toOwnLogs, toRefusedLog } from './log-wire.ts';

/** The records of one caller: of all users, or of an own account. */
export interface LogView {
  readonly db: Database;
  readonly filter: LogFilter;
  /** The own account: without channels. */
  readonly own: boolean;
}

const toWire = (db: Database, own: boolean, rows: readonly LogRow[]): Log[] | Promise<Log[]> =>
  own ? toOwnLogs(rows) : toLogs(db, rows);

/** Refused calls are stored apart, and are records of their type alone. */
const wantsRefused = ({ type }: LogFilter): boolean => type === logType.refused;

/** One page, newest first; `reader` is the caller. */
export const readLogPage = async (
  { db, filter, own }: LogView,
  paging: { readonly page: number; readonly reader: number },
): Promise<Log[]> =>
  wantsRefused(filter)
    ? (await listRefusals(db, { filter, ...paging })).map(toRefusedLog)
    : toWire(db, own, await listLogs(db, { filter, ...paging }));

/** The next `limit` records after `after`, newest first. */
export const readNextLogs = async (
  { db, filter, own }: LogView,
  { after, limit }: { readonly after: LogKey | undefined; readonly limit: number },
): Promise<Log[]> =>
  wantsRefused(filter)
    ? (await readRefusals(db, { filter, after, limit })).map(toRefusedLog)
    : toWire(db, own, await readLogs(db, { filter, after, limit }));

/** The newest records of a type or a request id. `userId` 0: of all users. */
export const searchRecords = async (
  db: Database,
  { userId, keyword }: { readonly userId: number; readonly keyword: string },
): Promise<Log[]> => {
  const [rows, refused] = await Promise.all([
    searchLogs(db, { userId, keyword }),
    searchRefusals(db, { userId, keyword }),
  ]);
  return [...(await toWire(db, userId > 0, rows)), ...refused.map(toRefusedLog)];
};
