import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

const integers = [
  'user_id',
  'token_id',
  'period_id',
  'started_at',
  'last_at',
  'ends_at',
  'ended_at',
  'calls',
  'calls_max',
  'amount',
] as const;

/** Runs of agents, and which one a log row belongs to. What a run may spend is a period, as that of a budget is. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const types = columnTypes[kind];
  const strict = kind === 'sqlite';
  let table = db.schema
    .createTable('runs')
    .addColumn('id', strict ? sql`integer primary key autoincrement` : 'bigint', (column) =>
      strict ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
    )
    .addColumn('name', types.text, (column) => column.notNull());
  for (const column of integers) table = table.addColumn(column, types.integer, (made) => made.notNull());
  await (strict ? table.modifyEnd(sql`strict`) : table).execute();
  await sql`create unique index runs_key on runs (user_id, name)`.execute(db);
  await sql`alter table logs add column run_id ${types.integer} not null default 0`.execute(db);
  await sql`alter table logs add column run_step ${types.text} not null default ''`.execute(db);
  await sql`create index logs_run on logs (run_id) where run_id > 0`.execute(db);
};
