import { sql, type Kysely } from 'kysely';

const filters = ['user_id', 'token_name', 'model_name', 'channel_id'];

/**
 * Records that are no consumption are counted by several filters at once within one index: it knows every column that
 * a filter asks for, after those that make its order.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const column of filters) {
    const index = sql.ref(`logs_others_${column}_index`);
    const known = [column, 'created_at', 'id', ...filters.filter((other) => other !== column), 'type'];
    await sql`drop index ${index}`.execute(db);
    await sql`create index ${index} on logs (${sql.join(known.map((name) => sql.ref(name)))}) where type <> 2`.execute(
      db,
    );
  }
};
