import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Columns of a token that nodes keep in memory: those of migration 0011, and the end of an overlap. */
const kept = [
  'status',
  'name',
  'expired_time',
  'unlimited_quota',
  'models',
  'subnet',
  'key_digest',
  'deleted_time',
  'overlap_until',
] as const;

const rowOf = (record: 'old' | 'new') => sql`row(${sql.join(kept.map((column) => sql.ref(`${record}.${column}`)))})`;

/** Keys that were replaced, each with the time until which it still works; and where a token was last used from. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const { integer, text } = columnTypes[kind];
  await sql`alter table tokens add column overlap_until ${integer} not null default 0`.execute(db);
  await sql`alter table tokens add column last_address ${text} not null default ''`.execute(db);
  const replaced = db.schema
    .createTable('replaced_keys')
    .addColumn('key_digest', text, (column) => column.notNull().primaryKey())
    .addColumn('token_id', integer, (column) => column.notNull().references('tokens.id'))
    .addColumn('roll_id', text, (column) => column.notNull())
    .addColumn('successor', text, (column) => column.notNull())
    .addColumn('valid_until', integer, (column) => column.notNull())
    .addColumn('created_time', integer, (column) => column.notNull());
  await (kind === 'sqlite' ? replaced.modifyEnd(sql`strict`) : replaced).execute();
  await db.schema
    .createIndex('replaced_keys_token_id_roll_id')
    .on('replaced_keys')
    .columns(['token_id', 'roll_id'])
    .unique()
    .execute();
  if (kind === 'sqlite') return;
  await sql`drop trigger tokens_notify_update on tokens`.execute(db);
  await sql`create trigger tokens_notify_update after update on tokens for each row
    when (${rowOf('old')} is distinct from ${rowOf('new')})
    execute function weir_notify_change('token')`.execute(db);
};
