import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Refused calls: records of some of them, and sums of all. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const { integer, text } = columnTypes[kind];
  const strict = kind === 'sqlite';
  const records = db.schema
    .createTable('refusals')
    .addColumn('id', kind === 'sqlite' ? sql`integer primary key` : 'bigint', (column) =>
      kind === 'sqlite' ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
    )
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('token_id', integer, (column) => column.notNull())
    .addColumn('token_name', text, (column) => column.notNull())
    .addColumn('group', text, (column) => column.notNull())
    .addColumn('model_name', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('rule', text, (column) => column.notNull())
    .addColumn('status', integer, (column) => column.notNull())
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('retry_after', text, (column) => column.notNull())
    .addColumn('request_id', text, (column) => column.notNull())
    .addColumn('elapsed_time', integer, (column) => column.notNull())
    .addColumn('is_stream', integer, (column) => column.notNull())
    .addColumn('key_tail', text, (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('network', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull());
  await (strict ? records.modifyEnd(sql`strict`) : records).execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`refusals_${name}`).on('refusals').columns(columns).execute();
  await index('created_at', ['created_at', 'id']);
  await index('user', ['user_id', 'created_at', 'id']);
  await index('request', ['request_id']);

  const sums = db.schema
    .createTable('refusal_sums')
    .addColumn('slot', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('token_id', integer, (column) => column.notNull())
    .addColumn('rule', text, (column) => column.notNull())
    .addColumn('network', text, (column) => column.notNull())
    .addColumn('count', integer, (column) => column.notNull())
    .addColumn('first_at', integer, (column) => column.notNull())
    .addColumn('last_at', integer, (column) => column.notNull())
    .addColumn('request_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('refusal_sums_key', ['slot', 'user_id', 'token_id', 'rule', 'network']);
  await (strict ? sums.modifyEnd(sql`strict, without rowid`) : sums).execute();
  await db.schema.createIndex('refusal_sums_user').on('refusal_sums').columns(['user_id', 'slot']).execute();
};
