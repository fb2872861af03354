import { sql, type Kysely } from 'kysely';

/** The expiry of a token that its owner was reminded of last. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table expiry_reminders (
    token_id bigint not null primary key,
    expired_time bigint not null
  )`.execute(db);
};
