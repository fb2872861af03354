import { sql, type Kysely } from 'kysely';

/** Why the last test of a channel failed; of earlier tests it is not known. */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`;
  await sql`alter table channels add column test_error ${text} not null default ''`.execute(db);
};
