import { type BillLine, billLinesMax, billModelMax, reportRowsMax } from '@weir/contract/bills/bills';
import { readAmount, toNanoDollars } from './exact-amount.ts';
import { type Place, reportFault } from './report-fault.ts';

const counts = ['requests', 'input', 'cached', 'cache_write', 'output'] as const;
type Count = (typeof counts)[number];

/** One row of a report. Values are texts as they stand there; absent and empty: the report does not say. */
export interface ReportRow extends Partial<Readonly<Record<Count, unknown>>> {
  readonly place: Place;
  /** UTC day. */
  readonly day: string;
  readonly model: string;
  /** Added to `input`, where a vendor states its parts. */
  readonly inputParts?: readonly unknown[];
  readonly cacheWriteParts?: readonly unknown[];
  readonly cost?: unknown;
  readonly costUnit?: 'dollars' | 'cents';
}

interface Sum {
  readonly counts: Map<Count, number>;
  cost: bigint | undefined;
}

/** Adds up the rows of a report by day and model. */
export interface ReportLines {
  add(row: ReportRow): void;
  /** Rows that were added. */
  readonly rows: number;
  /** In the order of day and model. */
  lines(): BillLine[];
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
/** Tables of some programs write whole numbers with a fraction of zeros. */
const whole = /^(\d{1,16})(?:\.0+)?$/;

const readCount = (value: unknown, place: Place, member: string): number => {
  const [, digits] = whole.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  const count = Number(digits);
  if (digits === undefined || !Number.isSafeInteger(count)) throw reportFault('not_whole', { place, member });
  return count;
};

const sumParts = (parts: readonly unknown[], place: Place, member: string): number | undefined => {
  const known = parts.filter((part) => !isEmpty(part));
  if (known.length === 0) return undefined;
  return known.reduce<number>((sum, part) => sum + readCount(part, place, member), 0);
};

const countOf = (row: ReportRow, name: Count): number | undefined => {
  if (name === 'input' && row.inputParts !== undefined) return sumParts(row.inputParts, row.place, 'input');
  if (name === 'cache_write' && row.cacheWriteParts !== undefined)
    return sumParts(row.cacheWriteParts, row.place, 'cache_write');
  return isEmpty(row[name]) ? undefined : readCount(row[name], row.place, name);
};

const costOf = ({ cost, costUnit = 'dollars', place }: ReportRow): bigint | undefined => {
  if (isEmpty(cost)) return undefined;
  const amount = typeof cost === 'string' ? readAmount(cost, costUnit) : undefined;
  if (amount === undefined) throw reportFault('not_a_number', { place, member: 'cost' });
  return amount;
};

const addTo = (sum: Sum, row: ReportRow): void => {
  for (const name of counts) {
    const count = countOf(row, name);
    if (count === undefined) continue;
    const total = (sum.counts.get(name) ?? 0) + count;
    if (!Number.isSafeInteger(total))
      throw reportFault('too_large', { place: row.place, member: name, limit: Number.MAX_SAFE_INTEGER });
    sum.counts.set(name, total);
  }
  const cost = costOf(row);
  if (cost !== undefined) sum.cost = (sum.cost ?? 0n) + cost;
};

/** Dollars: beyond it, nano-dollars are no exact number of JSON. */
const nanoMax = 9_000_000;

const nanoDollars = (cost: bigint | undefined, place: Place): number | null => {
  if (cost === undefined) return null;
  const nano = toNanoDollars(cost);
  if (nano === undefined) throw reportFault('too_large', { place, member: 'cost', limit: nanoMax });
  return nano;
};

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** What no database holds is left out of a name. */
const modelOf = ({ model, place }: ReportRow): string => {
  const name = model.replaceAll('\0', '').toWellFormed().trim();
  if (name === '') throw reportFault('not_grouped', { place, member: 'model' });
  if ([...name].length > billModelMax) throw reportFault('too_long', { place, member: 'model', limit: billModelMax });
  return name;
};

export const createReportLines = (): ReportLines => {
  const sums = new Map<string, Sum>();
  let rows = 0;
  return {
    add: (row) => {
      rows += 1;
      if (rows > reportRowsMax) throw reportFault('too_large', { place: 'rows', limit: reportRowsMax });
      const key = `${row.day}\n${modelOf(row)}`;
      const sum = sums.get(key) ?? { counts: new Map<Count, number>(), cost: undefined };
      addTo(sum, row);
      sums.set(key, sum);
      if (sums.size > billLinesMax) throw reportFault('too_large', { place: 'days × models', limit: billLinesMax });
    },
    get rows() {
      return rows;
    },
    lines: () => {
      const lines = [...sums].map(([key, { counts: sum, cost }]): BillLine => {
        const [day = '', model = ''] = key.split('\n', 2);
        const of = (name: Count): number | null => sum.get(name) ?? null;
        return {
          day,
          model,
          requests: of('requests'),
          input: of('input'),
          cached: of('cached'),
          cache_write: of('cache_write'),
          output: of('output'),
          cost: nanoDollars(cost, `${day} ${model}`),
        };
      });
      return lines
        .filter(({ day: _day, model: _model, ...known }) => Object.values(known).some((value) => value !== null))
        .toSorted((one, other) => byText(one.day, other.day) || byText(one.model, other.model));
    },
  };
};
