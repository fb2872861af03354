import { sql, type Kysely } from 'kysely';

/** The currency of a channel's balance where it is not the usual one of the type; earlier balances are in the usual one. */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`;
  await sql`alter table channels add column balance_currency ${text} not null default ''`.execute(db);
};
