import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { LogRow } from './logs.ts';

/** The end of the log at a moment. */
export interface LogMark {
  /** The highest id then. */
  readonly id: number;
  /** With PostgreSQL the first transaction that had not begun then, as text; empty with SQLite, which has one writer. */
  readonly before: string;
}

/** The end of the log now. Rows before it may still be on their way, in transactions that were begun earlier. */
export const markLog = async ({ kind, read }: Pick<Database, 'kind' | 'read'>): Promise<LogMark> => {
  if (kind === 'sqlite') {
    const row = await read.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return { id: row?.id ?? 0, before: '' };
  }
  const row = await read
    .selectFrom('logs')
    .select((eb) => [eb.fn.max('id').as('id'), sql<string>`pg_snapshot_xmax(pg_current_snapshot())::text`.as('before')])
    .executeTakeFirstOrThrow();
  return { id: Number(row.id ?? 0), before: row.before };
};

/** Whether all transactions that ran at the mark have ended, so that no row before it can appear any more. */
export const isMarkSettled = async ({ read }: Pick<Database, 'read'>, { before }: LogMark): Promise<boolean> => {
  if (before === '') return true;
  // Any table with a row would do.
  const row = await read
    .selectFrom('instance')
    .select(sql<boolean>`pg_snapshot_xmin(pg_current_snapshot())::text::numeric >= ${before}::numeric`.as('settled'))
    .limit(1)
    .executeTakeFirst();
  return row?.settled === true;
};

/** The next rows after one, up to a mark, oldest first. */
export const readNextRows = (
  { read }: Pick<Database, 'read'>,
  { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number },
): Promise<LogRow[]> =>
  read
    .selectFrom('logs')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', until)
    .orderBy('id')
    .limit(limit)
    .execute();
