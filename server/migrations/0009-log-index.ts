import { sql, type Kysely } from 'kysely';

/**
 * A row of the log is found by its time, and the index itself has the columns that a list can be filtered by: where one
 * call in a hundred of an hour matches, one row in a hundred is read.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`drop index logs_created_at_id_index`.execute(db);
  await sql`create index logs_created_at_index on logs
    (created_at, id, model_name, token_name, channel_id, user_id, type)`.execute(db);
};
