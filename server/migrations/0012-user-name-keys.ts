import { sql, type Kysely } from 'kysely';

/**
 * A user name in the form in which no two new ones may be equal. Names from before have none: some of them may differ in
 * their case alone, and keep working.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table users add column name_key text not null default ''`.execute(db);
  await sql`create unique index users_name_key_index on users (name_key) where name_key <> ''`.execute(db);
};
