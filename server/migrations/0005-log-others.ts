import { sql, type Kysely } from 'kysely';

/**
 * Records other than consumption have an index for each filter of the log. The sums do not include them, so a query
 * cannot use the sums to find them; they are few, so these indexes cost a request nothing.
 */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  for (const column of ['token_name', 'model_name', 'channel_id']) {
    const index = sql.ref(`logs_others_${column}_index`);
    // On SQLite every index already ends with the row's id.
    const id = kind === 'sqlite' ? sql`` : sql`, id`;
    await sql`create index ${index} on logs (${sql.ref(column)}, created_at${id}) where type <> 2`.execute(db);
  }
};
