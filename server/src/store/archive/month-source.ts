import { sql } from 'kysely';
import { type CopySource, readRow, type Row, type TableShape } from '../copies/copy-source.ts';
import type { Database, ReadQueries } from '../database.ts';
import { ledgerColumns } from '../ledger/row-columns.ts';
import { logColumns } from '../logs/log-columns.ts';
import { startOfMonth } from '../statements/months.ts';
import type { ClosedMonth, MonthUses } from './archived-months.ts';

const pageSize = 2000;

const shape = (name: string, columns: readonly string[], key: readonly string[]): TableShape => ({
  name,
  columns: ['id', ...columns].toSorted(),
  key,
  lastId: 0,
});
export const ledgerShape = shape('ledger', ledgerColumns, ['id']);
const logShape = shape('logs', logColumns, ['created_at', 'id']);

const toRows = (rows: readonly object[], table: TableShape): readonly Row[] =>
  rows.map((row) => {
    const cells = new Map<string, unknown>(Object.entries(row));
    return readRow(
      table.columns.map((column) => cells.get(column)),
      table,
    );
  });

async function* entriesOf(read: ReadQueries, { after, lastId }: ClosedMonth): AsyncGenerator<readonly Row[]> {
  let last = after;
  for (;;) {
    const rows = await read
      .selectFrom('ledger')
      .selectAll()
      .where('id', '>', last)
      .where('id', '<=', lastId)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const newest = rows.at(-1);
    if (newest === undefined) return;
    yield toRows(rows, ledgerShape);
    last = newest.id;
  }
}

async function* recordsOf(read: ReadQueries, month: number): AsyncGenerator<readonly Row[]> {
  const before = startOfMonth(month + 1);
  let last = { created_at: startOfMonth(month), id: 0 };
  for (;;) {
    const rows = await read
      .selectFrom('logs')
      .selectAll()
      .where(sql<boolean>`(created_at, id) > (${last.created_at}, ${last.id})`)
      .where('created_at', '<', before)
      .orderBy('created_at')
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const newest = rows.at(-1);
    if (newest === undefined) return;
    yield toRows(rows, logShape);
    last = newest;
  }
}

/** A closed month as a backup is read: every entry of its ledger, and every record of its log that is still there. */
export const openMonthSource = async ({ read }: Pick<Database, 'read'>, month: ClosedMonth): Promise<CopySource> => {
  const applied = sql<{ readonly name: string }>`migrations`.as('applied');
  const migrations = await read.selectFrom(applied).select('applied.name').orderBy('applied.name').execute();
  return {
    migrations: migrations.map(({ name }) => name),
    tables: [ledgerShape, logShape],
    rows: ({ name }) => (name === ledgerShape.name ? entriesOf(read, month) : recordsOf(read, month.month)),
    close: async () => undefined,
  };
};

/** What the uses of a month come to in the ledger. */
export const sumMonth = async (read: ReadQueries, { after, lastId }: ClosedMonth): Promise<MonthUses> => {
  const { uses, amount, unrecovered } = await read
    .selectFrom('ledger')
    .select((on) => [
      on.fn.countAll<number>().as('uses'),
      on.fn.sum<number | null>('amount').as('amount'),
      on.fn.sum<number | null>('unrecovered').as('unrecovered'),
    ])
    .where('kind', '=', sql.lit('use'))
    .where('id', '>', after)
    .where('id', '<=', lastId)
    .executeTakeFirstOrThrow();
  return { uses, amount: Number(amount ?? 0), unrecovered: Number(unrecovered ?? 0) };
};
