import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database.ts';
import { hourKeyColumns, hourSumColumns } from '../ledger/row-columns.ts';
import type { LogHoursTable, Schema } from '../schema.ts';

type Kind = Database['kind'];
/** Tables that an import fills. */
export type ImportedTable = 'users' | 'tokens' | 'channels' | 'abilities' | 'redemptions' | 'ledger' | 'logs';

/** Rows of one statement: large enough to be fast, small enough that no statement takes long. */
const rowsAtOnce = 2500;

const chunksOf = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, index) =>
    rows.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );

/** The rows of a JSON text, with the columns of a table: any number of rows in one parameter. */
const rowsIn = (kind: Kind, table: keyof Schema, rows: readonly object[]) => {
  const text = JSON.stringify(rows);
  return kind === 'postgres'
    ? sql`json_populate_recordset(null::${sql.table(table)}, ${text}::json) as row`
    : sql`json_each(${text}) as row`;
};

const cell = (kind: Kind, column: string) =>
  kind === 'postgres' ? sql`row.${sql.ref(column)}` : sql`row.value ->> ${sql.lit(`$."${column}"`)}`;

const names = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

interface Rows {
  readonly kind: Kind;
  readonly table: ImportedTable;
  /** All with the same columns, that of the id among them. */
  readonly rows: readonly object[];
}

/** Inserts rows as they are. */
export const insertRows = async (trx: DatabaseTransaction, { kind, table, rows }: Rows): Promise<void> => {
  for (const some of chunksOf(rows)) {
    const columns = Object.keys(some[0] ?? {});
    await sql`insert into ${sql.table(table)} (${names(columns)})
      select ${sql.join(columns.map((column) => cell(kind, column)))} from ${rowsIn(kind, table, some)}`.execute(trx);
  }
};

/** Adds hourly sums to those that are there. No two of the rows have the same key. */
export const addHours = async (
  trx: DatabaseTransaction,
  kind: Kind,
  rows: readonly Selectable<LogHoursTable>[],
): Promise<void> => {
  const columns = [...hourKeyColumns, ...hourSumColumns];
  const added = hourSumColumns.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`log_hours.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  for (const some of chunksOf(rows)) {
    await sql`insert into log_hours (${names(columns)})
      select ${sql.join(columns.map((column) => cell(kind, column)))} from ${rowsIn(kind, 'log_hours', some)} where true
      on conflict (${names(hourKeyColumns)}) do update set ${sql.join(added)}`.execute(trx);
  }
};

/** Lets the statements of a transaction take longer than those that users wait for. */
export const allowLong = async (trx: DatabaseTransaction, kind: Kind): Promise<void> => {
  if (kind !== 'postgres') return;
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
};

/** Tables whose ids are never used again. */
const countedTables = ['users', 'tokens', 'channels', 'redemptions'] as const;

/**
 * Has the next ids follow the imported ones. Rows that the other gateway deleted are still named by its log: new
 * users and channels must not get their ids.
 */
export const advanceIds = async (trx: DatabaseTransaction, kind: Kind): Promise<void> => {
  const logged: Readonly<Record<string, string>> = { users: 'user_id', channels: 'channel_id' };
  for (const table of [...countedTables, 'logs', 'ledger'] as const) {
    const column = logged[table];
    const ofLog = column === undefined ? sql`0` : sql`(select coalesce(max(${sql.ref(column)}), 0) from log_hours)`;
    const own = sql`(select coalesce(max(id), 0) from ${sql.table(table)})`;
    if (kind === 'postgres') {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(${ofLog}, ${own}, 1))`.execute(trx);
    } else if (table !== 'logs' && table !== 'ledger') {
      await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
        where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(trx);
      await sql`update sqlite_sequence set seq = max(seq, ${ofLog}, ${own}) where name = ${table}`.execute(trx);
    }
  }
};
