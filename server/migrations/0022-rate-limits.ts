import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Rules of rate limits; a change notifies every node, as in migration 0011. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const { integer, text } = columnTypes[kind];
  const rules = db.schema
    .createTable('rate_limits')
    .addColumn('id', kind === 'sqlite' ? sql`integer primary key` : 'bigint', (column) =>
      kind === 'sqlite' ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
    )
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('metric', text, (column) => column.notNull())
    .addColumn('period', text, (column) => column.notNull())
    .addColumn('amount', integer, (column) => column.notNull())
    .addColumn('created_time', integer, (column) => column.notNull())
    .addUniqueConstraint('rate_limits_key', ['scope', 'subject', 'model', 'metric', 'period']);
  await (kind === 'sqlite' ? rules.modifyEnd(sql`strict`) : rules).execute();
  if (kind === 'sqlite') return;
  await sql`create trigger rate_limits_notify after insert or update or delete on rate_limits for each row
    execute function weir_notify_change('rate_limit')`.execute(db);
};
