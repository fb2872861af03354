import { createHash } from 'node:crypto';
import { StartError } from '../../errors.ts';

/** What a column may hold: whole and other numbers, and text. No column is ever null. */
export type Cell = string | number;
export type Row = readonly Cell[];

/** A table as its rows are copied. */
export interface TableShape {
  readonly name: string;
  /** In the order of the alphabet, so that both databases agree. */
  readonly columns: readonly string[];
  /** The primary key: rows are read in its order. */
  readonly key: readonly string[];
  /** The last id that was given to a row, which may be gone by now; 0: ids are not counted. */
  readonly lastId: number;
}

/** The whole content of a database at one point in time: a database, or a backup of one. */
export interface CopySource {
  /** The migrations that made its tables. */
  readonly migrations: readonly string[];
  /** Tables that others refer to come before them. */
  readonly tables: readonly TableShape[];
  /** The rows in the order of the key, some thousand at a time. */
  rows(table: TableShape): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}

/** What the rows of a table come to. */
export interface TableSummary {
  readonly rows: number;
  /** SHA-256 over the rows as lines of JSON. */
  readonly sha256: string;
  /** Of the columns with amounts, as decimal text: a sum may be larger than any exact number. */
  readonly sums: Readonly<Record<string, string>>;
}

/** Kysely's own: they come with the migrations. */
export const migrationTables: readonly string[] = ['migrations', 'migrations_lock'];

/** Columns whose sums a person compares. */
const amounts: ReadonlySet<string> = new Set(['available', 'held', 'used', 'amount', 'quota', 'unrecovered']);

export const lineOf = (row: Row): string => `${JSON.stringify(row)}\n`;

/** Adds up rows as they pass. */
export const createSummary = ({ columns }: Pick<TableShape, 'columns'>) => {
  const hash = createHash('sha256');
  const summed = columns.flatMap((column, index) => (amounts.has(column) ? [{ column, index, sum: 0n }] : []));
  let count = 0;
  const add = (rows: readonly Row[], lines: string): void => {
    hash.update(lines);
    count += rows.length;
    for (const row of rows) {
      for (const each of summed) {
        const value = row[each.index];
        if (typeof value === 'number' && Number.isInteger(value)) each.sum += BigInt(value);
      }
    }
  };
  const end = (): TableSummary => ({
    rows: count,
    sha256: hash.digest('hex'),
    sums: Object.fromEntries(summed.map(({ column, sum }) => [column, String(sum)])),
  });
  return { add, end };
};

/** Reads a table to its end. */
export const summarize = async (source: Pick<CopySource, 'rows'>, table: TableShape): Promise<TableSummary> => {
  const summary = createSummary(table);
  for await (const rows of source.rows(table)) summary.add(rows, rows.map(lineOf).join(''));
  return summary.end();
};

const isCell = (value: unknown): value is Cell =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

export const readRow = (value: unknown, { name, columns }: TableShape): Row => {
  if (!Array.isArray(value) || value.length !== columns.length || !value.every(isCell))
    throw new StartError(`A row of ${name} cannot be copied: it has other values than numbers and texts`);
  return value;
};

/** Tables that others refer to first. `references`: pairs of a table and the one it refers to. */
export const inOrder = (
  names: readonly string[],
  references: readonly (readonly [from: string, to: string])[],
): readonly string[] => {
  const ordered: string[] = [];
  const rest = new Set(names.toSorted());
  while (rest.size > 0) {
    const free = Array.from(rest).filter(
      (name) => !references.some(([from, to]) => from === name && to !== name && rest.has(to)),
    );
    if (free.length === 0) throw new Error(`The tables ${Array.from(rest).join(', ')} refer to each other`);
    for (const name of free) {
      rest.delete(name);
      ordered.push(name);
    }
  }
  return ordered;
};
