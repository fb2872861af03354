import { sql, type Kysely } from 'kysely';

const sums = ['requests', 'quota', 'prompt_tokens', 'completion_tokens', 'cost', 'costed'];

/** Sums of an hour of all calls, and by one column of them. */
const tables = [
  { name: 'log_hours_of_all', key: ['hour'] },
  { name: 'log_hours_of_models', key: ['hour', 'model_name'] },
  { name: 'log_hours_of_channels', key: ['hour', 'channel_id'] },
  { name: 'log_hours_of_tokens', key: ['hour', 'token_name'] },
  { name: 'log_hours_of_users', key: ['hour', 'user_id'] },
] as const;

const texts: ReadonlySet<string> = new Set(['model_name', 'token_name']);

/**
 * A day of all users, hour by hour, was read from 265,000 rows of `log_hours` at 100 million log rows. The tables are filled while
 * the gateway runs, newest day first: to fill them here would take minutes there.
 */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const [integer, text, end] =
    kind === 'sqlite'
      ? [sql`integer`, sql`text`, sql` strict, without rowid`]
      : [sql`bigint`, sql`text collate "C"`, sql``];
  for (const { name, key } of tables) {
    const columns = [...key, ...sums].map(
      (column) => sql`${sql.ref(column)} ${texts.has(column) ? text : integer} not null`,
    );
    const names = sql.join(key.map((column) => sql.ref(column)));
    await sql`create table ${sql.table(name)} (${sql.join(columns)}, primary key (${names}))${end}`.execute(db);
  }
  await sql`alter table log_days_summed add column hours_by_name ${integer} not null default 0`.execute(db);
};
