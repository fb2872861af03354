import { CompiledQuery, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database.ts';
import { hourKeyColumns, hourSumColumns } from '../ledger/row-columns.ts';
import type { LogHoursTable, Schema } from '../schema.ts';

type Kind = Database['kind'];
/** Tables that an import fills. */
export type ImportedTable = 'users' | 'tokens' | 'channels' | 'abilities' | 'redemptions' | 'ledger' | 'logs';

/** Rows of one statement: large enough to be fast, small enough that no statement takes long. */
const rowsAtOnce = 2500;
/** Parameters of a statement of SQLite, which has them at 32,766 at most. */
const parametersMax = 20_000;

const chunksOf = <Row>(rows: readonly Row[], size = rowsAtOnce): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));

/** The rows of a JSON text, with the columns of a table: any number of rows in one parameter. PostgreSQL alone. */
const rowsIn = (table: keyof Schema, rows: readonly object[]) =>
  sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json) as row`;

const names = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

interface Rows {
  readonly kind: Kind;
  readonly table: ImportedTable;
  /** All with the same columns, in the same order. */
  readonly rows: readonly object[];
}

/** SQLite reads JSON slowly and binds values fast. The text is made by hand: Kysely would take longer than the insertion. */
const insertValues = async (
  trx: DatabaseTransaction,
  { table, rows, ending = '' }: Pick<Rows, 'rows'> & { readonly table: string; readonly ending?: string },
) => {
  const columns = Object.keys(rows[0] ?? {});
  const quoted = columns.map((column) => `"${column}"`).join(', ');
  const places = `(${columns.map(() => '?').join(', ')})`;
  for (const some of chunksOf(rows, Math.floor(parametersMax / columns.length))) {
    const text = `insert into "${table}" (${quoted}) values ${some.map(() => places).join(', ')} ${ending}`;
    const values = some.flatMap((row): unknown[] => Object.values(row));
    await trx.executeQuery(CompiledQuery.raw(text, values));
  }
};

/** Inserts rows as they are. */
export const insertRows = async (trx: DatabaseTransaction, { kind, table, rows }: Rows): Promise<void> => {
  if (kind === 'sqlite') return insertValues(trx, { table, rows });
  const columns = Object.keys(rows[0] ?? {});
  for (const some of chunksOf(rows)) {
    await sql`insert into ${sql.table(table)} (${names(columns)})
      select ${names(columns)} from ${rowsIn(table, some)}`.execute(trx);
  }
};

const addedHours = hourSumColumns.map((name) => `"${name}" = log_hours."${name}" + excluded."${name}"`).join(', ');
const onKnownHour = `on conflict (${hourKeyColumns.map((name) => `"${name}"`).join(', ')}) do update set ${addedHours}`;

/** Adds hourly sums to those that are there. No two of the rows have the same key. */
export const addHours = async (
  trx: DatabaseTransaction,
  kind: Kind,
  rows: readonly Selectable<LogHoursTable>[],
): Promise<void> => {
  if (kind === 'sqlite') return insertValues(trx, { table: 'log_hours', rows, ending: onKnownHour });
  const columns = [...hourKeyColumns, ...hourSumColumns];
  for (const some of chunksOf(rows)) {
    await sql`insert into log_hours (${names(columns)}) select ${names(columns)} from ${rowsIn('log_hours', some)}
      ${sql.raw(onKnownHour)}`.execute(trx);
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

/** Queries are planned for what is in the tables: the server itself looks at them a minute later at the earliest. */
export const gatherStatistics = async (trx: DatabaseTransaction, kind: Kind): Promise<void> => {
  if (kind === 'postgres') await sql`analyze`.execute(trx);
};

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
