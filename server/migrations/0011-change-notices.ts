import { sql, type Kysely } from 'kysely';

/** Columns that nodes keep in memory. Balances are none: every posting answers with them. */
const kept = [
  { table: 'users', topic: 'user', columns: ['username', 'status', 'role', 'group'] },
  {
    table: 'tokens',
    topic: 'token',
    columns: ['status', 'name', 'expired_time', 'unlimited_quota', 'models', 'subnet', 'key_digest', 'deleted_time'],
  },
  {
    table: 'channels',
    topic: 'channel',
    columns: [
      'type',
      'key_sealed',
      'status',
      'name',
      'weight',
      'priority',
      'base_url',
      'other',
      'models',
      'group',
      'model_mapping',
      'config',
      'system_prompt',
      'deleted_time',
    ],
  },
] as const;

const rowOf = (record: 'old' | 'new', columns: readonly string[]) =>
  sql`row(${sql.join(columns.map((column) => sql.ref(`${record}.${column}`)))})`;

/**
 * Every change of a row that nodes keep in memory notifies them in its own transaction: a node that dies between its
 * commit and the next statement has notified the others, and a change that is undone notifies none.
 */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  // A file belongs to one process.
  if (kind === 'sqlite') return;
  await sql`
    create function weir_notify_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('weir_changes', '- ' || tg_argv[0] || ' n ' || case
        when tg_table_name = 'options' then '0'
        when tg_op = 'DELETE' then to_jsonb(old) ->> 'id'
        else to_jsonb(new) ->> 'id' end);
      return null;
    end $$`.execute(db);
  const onUpdate = async (table: string, topic: string, columns: readonly string[]) => {
    await sql`create trigger ${sql.ref(`${table}_notify_update`)} after update on ${sql.table(table)} for each row
      when (${rowOf('old', columns)} is distinct from ${rowOf('new', columns)})
      execute function weir_notify_change(${sql.lit(topic)})`.execute(db);
  };
  const onOther = async (table: string, topic: string, events: string) => {
    await sql`create trigger ${sql.ref(`${table}_notify`)} after ${sql.raw(events)} on ${sql.table(table)} for each row
      execute function weir_notify_change(${sql.lit(topic)})`.execute(db);
  };
  for (const { table, topic, columns } of kept) await onUpdate(table, topic, columns);
  await onOther('channels', 'channel', 'insert or delete');
  await onOther('options', 'option', 'insert or update or delete');
};
