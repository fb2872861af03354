import { sql, type Selectable } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import { startOfMonth } from '../statements/months.ts';
import type { LedgerArchivesTable } from './archive-tables.ts';

export type ArchivedMonth = Readonly<Selectable<LedgerArchivesTable>>;

/** A closed month: its entries are those after the first ID, up to the second. */
export interface ClosedMonth {
  readonly month: number;
  readonly after: number;
  readonly lastId: number;
}

export const archivedMonths = (read: ReadQueries): Promise<readonly ArchivedMonth[]> =>
  read.selectFrom('ledger_archives').selectAll().orderBy('month').execute();

/** The oldest closed month that is in no archive, if it is not after `newest`. */
export const monthToArchive = async (read: ReadQueries, newest: number): Promise<ClosedMonth | undefined> => {
  const archived = read.selectFrom('ledger_archives').select((on) => on.fn.max('month').as('month'));
  const closed = await read
    .selectFrom('ledger_months')
    .select(['month', 'last_id'])
    .where('month', '>', (on) => on.fn.coalesce(archived, sql.lit(-1)))
    .where('month', '<=', newest)
    .orderBy('month')
    .limit(1)
    .executeTakeFirst();
  if (closed === undefined) return undefined;
  const before = await read
    .selectFrom('ledger_months')
    .select((on) => on.fn.max<number | null>('last_id').as('last_id'))
    .where('month', '<', closed.month)
    .executeTakeFirstOrThrow();
  return { month: closed.month, after: before.last_id ?? 0, lastId: closed.last_id };
};

/** Whether a call that began before the end of a month is still open: its settlement might repeat one of the month. */
export const hasOpenHold = async (read: ReadQueries, month: number): Promise<boolean> =>
  (await read
    .selectFrom('holds')
    .select('request_id')
    .where('opened_at', '<', startOfMonth(month + 1))
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** What the uses of a month come to. */
export type MonthUses = Pick<ArchivedMonth, 'uses' | 'amount' | 'unrecovered'>;

interface WrittenMonth extends ClosedMonth, MonthUses {
  readonly checksum: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Notes that a month is in a checked archive. From here on its uses may leave the ledger. */
export const noteArchive = async (db: Database, month: WrittenMonth): Promise<void> => {
  const { uses, amount, unrecovered, checksum } = month;
  const row = { month: month.month, last_id: month.lastId, folded_to: month.after, archived_at: month.at };
  await db.write
    .insertInto('ledger_archives')
    .values({ ...row, uses, amount, unrecovered, checksum })
    .onConflict((on) => on.column('month').doNothing())
    .execute();
};

/** Unix seconds before which log records are in archives; 0: none are. */
export const archivedUntil = async (read: ReadQueries): Promise<number> => {
  const { month } = await read
    .selectFrom('ledger_archives')
    .select((on) => on.fn.max<number | null>('month').as('month'))
    .executeTakeFirstOrThrow();
  return month === null ? 0 : startOfMonth(month + 1);
};
