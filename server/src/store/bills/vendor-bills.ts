import type { BillFigures, BillLine } from '@weir/contract/bills/bills';
import type { Insertable, Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../database.ts';
import type { VendorBillLinesTable, VendorBillsTable } from './bill-tables.ts';

type LineRow = Insertable<VendorBillLinesTable>;

/** A statement to store. */
export interface NewBill extends Pick<
  VendorBillsTable,
  'vendor' | 'source' | 'format' | 'imported_at' | 'imported_by'
> {
  /** Each day and model once; at least one of them. */
  readonly lines: readonly BillLine[];
}

export interface StoredBill extends Selectable<VendorBillsTable> {
  readonly lines: number;
  /** Nano-dollars; null: no line has a cost. */
  readonly cost: number | null;
}

const dayMs = 86_400_000;
/** Days since 1970 of a UTC day as text, and the reverse. */
export const dayNumber = (text: string): number => Math.floor(Date.parse(text) / dayMs);
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

const unknown = -1;
const stored = (count: number | null): number => count ?? unknown;
const read = (count: number): number | null => (count === unknown ? null : count);

const noUsage = {
  requests: unknown,
  input_tokens: unknown,
  cached_tokens: unknown,
  cache_write_tokens: unknown,
  output_tokens: unknown,
};

const rowsOf = (line: BillLine, key: Pick<LineRow, 'vendor' | 'source' | 'bill_id'>): LineRow[] => {
  const at = { ...key, day: dayNumber(line.day), model: line.model };
  const usage = {
    requests: stored(line.requests),
    input_tokens: stored(line.input),
    cached_tokens: stored(line.cached),
    cache_write_tokens: stored(line.cache_write),
    output_tokens: stored(line.output),
  };
  return [
    ...(Object.values(usage).some((count) => count !== unknown)
      ? [{ ...at, kind: 'usage' as const, ...usage, cost: 0 }]
      : []),
    ...(line.cost === null ? [] : [{ ...at, kind: 'cost' as const, ...noUsage, cost: line.cost }]),
  ];
};

const keyOf = ({ day, kind, model }: Pick<LineRow, 'day' | 'kind' | 'model'>): string => `${day} ${kind} ${model}`;

/** Parameters of one statement stay under the least limit of both databases. */
const rowsPerInsert = 500;

/** Of the same vendor and source, bills of which nothing is left. */
const deleteEmptyBills = async (trx: DatabaseTransaction, { vendor, source }: NewBill): Promise<void> => {
  await trx
    .deleteFrom('vendor_bills')
    .where('vendor', '=', vendor)
    .where('source', '=', source)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('vendor_bill_lines')
            .select('vendor_bill_lines.bill_id')
            .whereRef('vendor_bill_lines.bill_id', '=', 'vendor_bills.id'),
        ),
      ),
    )
    .execute();
};

/**
 * Stores a statement. A line takes the place of that of an earlier statement with the same vendor, source, day and
 * model, usage and cost each for itself: the same report twice is the same as once. Bills without any line left go.
 */
export const insertBill = async (
  trx: DatabaseTransaction,
  bill: NewBill,
): Promise<{ readonly id: number; readonly replaced: number }> => {
  const { lines, ...columns } = bill;
  const days = lines.map(({ day }) => day).toSorted();
  const [from, to] = [dayNumber(days[0] ?? ''), dayNumber(days.at(-1) ?? '')];
  const { id } = await trx
    .insertInto('vendor_bills')
    .values({ ...columns, from_day: from, to_day: to })
    .returning('id')
    .executeTakeFirstOrThrow();
  const before = await trx
    .selectFrom('vendor_bill_lines')
    .select(['day', 'kind', 'model'])
    .where('vendor', '=', bill.vendor)
    .where('source', '=', bill.source)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute();
  const known = new Set(before.map(keyOf));
  // In one order, so that imports at once do not wait for each other in a circle.
  const rows = lines
    .flatMap((line) => rowsOf(line, { vendor: bill.vendor, source: bill.source, bill_id: id }))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await trx
      .insertInto('vendor_bill_lines')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((on) =>
        on.columns(['vendor', 'day', 'source', 'kind', 'model']).doUpdateSet((eb) => ({
          bill_id: eb.ref('excluded.bill_id'),
          requests: eb.ref('excluded.requests'),
          input_tokens: eb.ref('excluded.input_tokens'),
          cached_tokens: eb.ref('excluded.cached_tokens'),
          cache_write_tokens: eb.ref('excluded.cache_write_tokens'),
          output_tokens: eb.ref('excluded.output_tokens'),
          cost: eb.ref('excluded.cost'),
        })),
      )
      .execute();
  }
  await deleteEmptyBills(trx, bill);
  return { id, replaced: rows.filter((row) => known.has(keyOf(row))).length };
};

const listMax = 1000;

/** Statements, newest first, with what is left of them. */
export const listBills = async (db: Database): Promise<StoredBill[]> => {
  const rows = await db.read
    .selectFrom('vendor_bills')
    .leftJoin('vendor_bill_lines', 'vendor_bill_lines.bill_id', 'vendor_bills.id')
    .selectAll('vendor_bills')
    .select((eb) => [
      eb.fn.count<number | string>('vendor_bill_lines.bill_id').as('lines'),
      eb.fn.sum<number | string | null>('vendor_bill_lines.cost').as('cost'),
      eb.fn
        .sum<number | string | null>(eb.case().when('vendor_bill_lines.kind', '=', 'cost').then(1).else(0).end())
        .as('costs'),
    ])
    .groupBy('vendor_bills.id')
    .orderBy('vendor_bills.id', 'desc')
    .limit(listMax)
    .execute();
  return rows.map(({ costs, cost, lines, ...bill }) => ({
    ...bill,
    lines: Number(lines),
    cost: Number(costs) === 0 ? null : Number(cost),
  }));
};

/** Deletes a statement with its lines; undefined: there was none. */
export const deleteBill = async (
  trx: DatabaseTransaction,
  id: number,
): Promise<Selectable<VendorBillsTable> | undefined> => {
  await trx.deleteFrom('vendor_bill_lines').where('bill_id', '=', id).execute();
  return trx.deleteFrom('vendor_bills').where('id', '=', id).returningAll().executeTakeFirst();
};

/** UTC days since 1970, from the first to before the second. */
export interface DayRange {
  readonly from: number;
  readonly before: number;
}

const figuresOf = (row: Selectable<VendorBillLinesTable>): BillFigures => ({
  requests: read(row.requests),
  input: read(row.input_tokens),
  cached: read(row.cached_tokens),
  cache_write: read(row.cache_write_tokens),
  output: read(row.output_tokens),
  cost: row.kind === 'cost' ? row.cost : null,
});

/** All lines of a vendor in these days. */
export const readBillLines = async (
  db: Database,
  { vendor, from, before }: DayRange & { readonly vendor: number },
): Promise<BillLine[]> => {
  const rows = await db.read
    .selectFrom('vendor_bill_lines')
    .selectAll()
    .where('vendor', '=', vendor)
    .where('day', '>=', from)
    .where('day', '<', before)
    .execute();
  return rows.map((row) => ({ day: dayText(row.day), model: row.model, ...figuresOf(row) }));
};

/** Days that a statement of a vendor covers, from its first to its last line. */
export const readBilledDays = async (
  db: Database,
  { vendor, from, before }: DayRange & { readonly vendor: number },
): Promise<ReadonlySet<number>> => {
  const rows = await db.read
    .selectFrom('vendor_bills')
    .select(['from_day', 'to_day'])
    .distinct()
    .where('vendor', '=', vendor)
    .where('to_day', '>=', from)
    .where('from_day', '<', before)
    .execute();
  const days = new Set<number>();
  for (const row of rows)
    for (let day = Math.max(row.from_day, from); day <= row.to_day && day < before; day += 1) days.add(day);
  return days;
};

/** The last day of which a vendor's statement has a line; undefined: none has. */
export const findLastBilledDay = async (db: Database, vendor: number): Promise<number | undefined> => {
  const row = await db.read
    .selectFrom('vendor_bill_lines')
    .select('day')
    .where('vendor', '=', vendor)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.day;
};
