import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

const columns = {
  budgets: {
    text: ['scope', 'model', 'period', 'zone'],
    integer: ['subject_id', 'amount', 'rollover', 'hard', 'by_admin', 'created_time'],
  },
  budget_periods: { text: [], integer: ['budget_id', 'starts_at', 'ends_at', 'granted', 'held', 'used'] },
} as const;

/** Budgets, what of each was used in each period, and which periods a hold or an entry of the ledger counts against. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const types = columnTypes[kind];
  const strict = kind === 'sqlite';
  for (const [name, { text, integer }] of Object.entries(columns)) {
    // IDs are not given twice: an entry of the ledger names a period forever.
    let table = db.schema
      .createTable(name)
      .addColumn('id', strict ? sql`integer primary key autoincrement` : 'bigint', (column) =>
        strict ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
      );
    for (const column of text) table = table.addColumn(column, types.text, (made) => made.notNull());
    for (const column of integer) table = table.addColumn(column, types.integer, (made) => made.notNull());
    if (name === 'budget_periods')
      table = table.addCheckConstraint('budget_periods_sums', sql`granted >= 0 and held >= 0 and used >= 0`);
    await (strict ? table.modifyEnd(sql`strict`) : table).execute();
  }
  await sql`create unique index budgets_key on budgets (scope, subject_id, model, period)`.execute(db);
  await sql`create unique index budget_periods_key on budget_periods (budget_id, starts_at)`.execute(db);
  for (const table of ['holds', 'ledger'] as const)
    await sql`alter table ${sql.table(table)} add column budgets ${types.text} not null default ''`.execute(db);
  if (kind === 'sqlite') return;
  await sql`create trigger budgets_notify after insert or update or delete on budgets for each row
    execute function weir_notify_change('budget')`.execute(db);
};
