import { sql, type CreateTableBuilder, type Kysely } from 'kysely';

const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

const sums = ['requests', 'quota', 'prompt_tokens', 'completion_tokens'];
const textColumns = new Set(['token_name', 'model_name']);

/** Sums by day for charts over all keys or accounts, and for one model of one account. */
const tables: Readonly<Record<string, readonly string[]>> = {
  log_days_by_user_model: ['user_id', 'model_name', 'day'],
  log_days_of_tokens: ['day', 'token_name'],
  log_days_of_users: ['day', 'user_id'],
};

export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  for (const [name, key] of Object.entries(tables)) {
    let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
    for (const column of [...key, ...sums]) {
      const type = columnTypes[kind][textColumns.has(column) ? 'text' : 'integer'];
      table = table.addColumn(column, type, (definition) => definition.notNull());
    }
    table = table.addPrimaryKeyConstraint(`${name}_key`, [...key]);
    if (kind === 'sqlite') table = table.modifyEnd(sql`strict, without rowid`);
    await table.execute();
    if (key[0] !== 'day') await db.schema.createIndex(`${name}_day_index`).on(name).column('day').execute();
  }
  // All tables are summed together, so the earlier ones begin anew.
  for (const name of ['log_days', 'log_days_by_token', 'log_days_by_user']) {
    await sql`delete from ${sql.table(name)}`.execute(db);
  }
  await sql`delete from instance where key in ('log_days_from', 'log_days_next')`.execute(db);
};
