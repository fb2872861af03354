import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/**
 * Statements of vendors' bills, and their lines by day and model. Calls whose usage was counted here get an index: they
 * explain differences, and are few where vendors report usage.
 */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const { integer, text } = columnTypes[kind];
  const strict = kind === 'sqlite';
  const bills = db.schema
    .createTable('vendor_bills')
    .addColumn('id', strict ? sql`integer primary key autoincrement` : 'bigint', (column) =>
      strict ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
    )
    .addColumn('vendor', integer, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('format', text, (column) => column.notNull())
    .addColumn('from_day', integer, (column) => column.notNull())
    .addColumn('to_day', integer, (column) => column.notNull())
    .addColumn('imported_at', integer, (column) => column.notNull())
    .addColumn('imported_by', text, (column) => column.notNull());
  await (strict ? bills.modifyEnd(sql`strict`) : bills).execute();

  const counts = ['requests', 'input_tokens', 'cached_tokens', 'cache_write_tokens', 'output_tokens', 'cost'];
  let lines = db.schema
    .createTable('vendor_bill_lines')
    .addColumn('vendor', integer, (column) => column.notNull())
    .addColumn('day', integer, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('bill_id', integer, (column) => column.notNull());
  for (const name of counts) lines = lines.addColumn(name, integer, (column) => column.notNull());
  lines = lines
    .addPrimaryKeyConstraint('vendor_bill_lines_key', ['vendor', 'day', 'source', 'kind', 'model'])
    .addForeignKeyConstraint('vendor_bill_lines_bill', ['bill_id'], 'vendor_bills', ['id']);
  await (strict ? lines.modifyEnd(sql`strict, without rowid`) : lines).execute();
  await db.schema.createIndex('vendor_bill_lines_bill_index').on('vendor_bill_lines').column('bill_id').execute();
  await sql`create index ledger_estimated_index on ledger (created_at, channel_id) where estimated = 1`.execute(db);
};
