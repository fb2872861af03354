import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Columns by table; each table also has an id. */
const tables = {
  alert_rules: {
    text: ['name', 'kind', 'severity', 'destinations'],
    integer: ['enabled', 'threshold', 'window_minutes', 'least', 'repeat_minutes'],
  },
  alert_destinations: {
    text: ['name', 'kind', 'seal_id', 'config_sealed', 'quiet_from', 'quiet_until', 'quiet_zone'],
    integer: ['enabled'],
  },
  alerts: {
    text: ['rule_name', 'kind', 'severity', 'state', 'acknowledged_by', 'subjects'],
    integer: ['rule_id', 'opened_at', 'notified_at', 'resolved_at', 'acknowledged_at', 'subject_count'],
  },
  alert_messages: {
    text: ['message_id', 'event', 'severity', 'content', 'state', 'claimed_by', 'last_error'],
    integer: ['alert_id', 'destination_id', 'tries', 'next_at', 'claimed_until', 'created_at', 'ended_at'],
  },
} as const;

/** Rules, where their messages go, what they found, and the messages that are to be sent. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const types = columnTypes[kind];
  const strict = kind === 'sqlite';
  for (const [name, columns] of Object.entries(tables)) {
    let table = db.schema
      .createTable(name)
      .addColumn('id', strict ? sql`integer primary key autoincrement` : 'bigint', (column) =>
        strict ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
      );
    for (const column of columns.text) table = table.addColumn(column, types.text, (made) => made.notNull());
    for (const column of columns.integer) table = table.addColumn(column, types.integer, (made) => made.notNull());
    await (strict ? table.modifyEnd(sql`strict`) : table).execute();
  }
  // A rule has one open alert, whichever node finds it.
  await sql`create unique index alerts_open on alerts (rule_id) where state = 'open'`.execute(db);
  await sql`create index alerts_resolved on alerts (resolved_at)`.execute(db);
  await sql`create unique index alert_messages_message_id on alert_messages (message_id)`.execute(db);
  await sql`create index alert_messages_due on alert_messages (state, next_at)`.execute(db);
  await sql`create index alert_messages_alert on alert_messages (alert_id)`.execute(db);
};
