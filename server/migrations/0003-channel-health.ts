import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Health of channels, apart from charges; and the balance of which an account's owner was last reminded. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const { integer, text } = columnTypes[kind];
  const strict = kind === 'sqlite';
  const attempts = db.schema
    .createTable('channel_attempts')
    .addColumn('channel_id', integer, (column) => column.notNull())
    .addColumn('slot', integer, (column) => column.notNull())
    .addColumn('outcome', text, (column) => column.notNull())
    .addColumn('band', integer, (column) => column.notNull())
    .addColumn('count', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_attempts_key', ['channel_id', 'slot', 'outcome', 'band']);
  await (strict ? attempts.modifyEnd(sql`strict, without rowid`) : attempts).execute();
  await db.schema.createIndex('channel_attempts_slot').on('channel_attempts').column('slot').execute();

  const failures = db.schema
    .createTable('channel_failures')
    .addColumn('id', kind === 'sqlite' ? sql`integer primary key` : 'bigint', (column) =>
      kind === 'sqlite' ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
    )
    .addColumn('channel_id', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('status', integer, (column) => column.notNull())
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('model_name', text, (column) => column.notNull())
    .addColumn('request_id', text, (column) => column.notNull());
  await (strict ? failures.modifyEnd(sql`strict`) : failures).execute();
  await db.schema
    .createIndex('channel_failures_channel')
    .on('channel_failures')
    .columns(['channel_id', 'id'])
    .execute();

  const reminders = db.schema
    .createTable('quota_reminders')
    .addColumn('user_id', integer, (column) => column.notNull().primaryKey())
    .addColumn('credited', integer, (column) => column.notNull());
  await (strict ? reminders.modifyEnd(sql`strict, without rowid`) : reminders).execute();
};
