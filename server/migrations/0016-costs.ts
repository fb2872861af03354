import { sql, type Kysely } from 'kysely';

const sums = [
  'log_hours',
  'log_days',
  'log_days_by_user_model',
  'log_days_of_tokens',
  'log_days_of_users',
  'log_days_by_token',
  'log_days_by_user',
];

/**
 * What calls cost at their vendors: of each, and summed. The sums have the quota of the calls whose cost is known, and
 * not of those whose is unknown: so 0 is right in every row there is, and no row is written.
 */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const integer = kind === 'sqlite' ? sql`integer` : sql`bigint`;
  await sql`alter table logs add column cost ${integer} not null default -1`.execute(db);
  for (const table of sums) {
    await sql`alter table ${sql.table(table)} add column cost ${integer} not null default 0`.execute(db);
    await sql`alter table ${sql.table(table)} add column costed ${integer} not null default 0`.execute(db);
  }
};
