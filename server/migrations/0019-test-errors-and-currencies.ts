import { sql, type Kysely } from 'kysely';

/** Why the last test of a channel failed, and the currency of its balance; neither is known of earlier ones. */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`;
  for (const column of ['test_error', 'balance_currency'])
    await sql`alter table channels add column ${sql.id(column)} ${text} not null default ''`.execute(db);
};
