import { sql, type CreateTableBuilder, type Kysely } from 'kysely';

type Kind = 'sqlite' | 'postgres';

const types = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

const sums = ['requests', 'quota', 'prompt_tokens', 'completion_tokens'];
const textColumns = new Set(['token_name', 'model_name']);

/**
 * The hourly sums again by day, for totals over long times: one table for each kind of query, each in the order in
 * which it is read.
 */
const tables: Readonly<Record<string, readonly string[]>> = {
  log_days: ['day', 'model_name', 'channel_id'],
  log_days_by_token: ['token_name', 'day', 'model_name', 'channel_id'],
  log_days_by_user: ['user_id', 'day', 'token_name', 'model_name', 'channel_id'],
};

export const up = async (db: Kysely<unknown>, kind: Kind): Promise<void> => {
  for (const [name, key] of Object.entries(tables)) {
    let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
    for (const column of [...key, ...sums]) {
      const type = types[kind][textColumns.has(column) ? 'text' : 'integer'];
      table = table.addColumn(column, type, (definition) => definition.notNull());
    }
    table = table.addPrimaryKeyConstraint(`${name}_key`, [...key]);
    if (kind === 'sqlite') table = table.modifyEnd(sql`strict, without rowid`);
    await table.execute();
    // For the removal of whole days.
    if (key[0] !== 'day') await db.schema.createIndex(`${name}_day_index`).on(name).column('day').execute();
  }
  // Records that are no consumption are few, and in no sum: they are counted and listed by themselves, in order of time.
  await sql`drop index logs_type_id_index`.execute(db);
  for (const first of ['type', 'user_id', undefined]) {
    const columns = [...(first === undefined ? [] : [first]), 'created_at', ...(kind === 'sqlite' ? [] : ['id'])];
    const index = sql.ref(`logs_others${first === undefined ? '' : `_${first}`}_index`);
    await sql`create index ${index} on logs (${sql.join(columns.map((column) => sql.ref(column)))}) where type <> 2`.execute(
      db,
    );
  }
};
