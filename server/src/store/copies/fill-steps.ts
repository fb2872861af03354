import { StartError } from '../../errors.ts';
import { copyFact } from './copy-fact.ts';
import {
  type CopySource,
  createSummary,
  lineOf,
  type Row,
  summarize,
  type TableShape,
  type TableSummary,
} from './copy-source.ts';

export interface FillOptions {
  readonly say: (line: string) => void;
  /** Called once everything is there, before servers may start on it. */
  readonly beforeEnd: () => void;
}

/** A table that was copied and compared. */
export interface Copied extends TableSummary {
  readonly table: string;
}

const textOf = (tables: readonly TableShape[]): readonly string[] =>
  tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`);

/** A table or a column that one side does not have would be left behind. */
export const requireSameTables = (source: readonly TableShape[], target: readonly TableShape[]): void => {
  const [ours, theirs] = [textOf(target), textOf(source)];
  const other = [...theirs.filter((text) => !ours.includes(text)), ...ours.filter((text) => !theirs.includes(text))];
  if (other.length > 0) throw new StartError(`Source and target differ in their tables: ${other.join('; ')}`);
};

interface Passing {
  readonly table: TableShape;
  /** Rows that an earlier run wrote: rows are copied in one order, so they are the first. */
  readonly known: number;
}

/** Reads a table to its end and passes those of its rows on that are not there yet. */
export const sumWhile = async (
  source: Pick<CopySource, 'rows'>,
  { table, known }: Passing,
  pass: (rows: readonly Row[]) => Promise<void>,
): Promise<TableSummary> => {
  const summary = createSummary(table);
  let left = known;
  for await (const rows of source.rows(table)) {
    summary.add(rows, rows.map(lineOf).join(''));
    const fresh = rows.slice(left);
    left -= rows.length - fresh.length;
    if (fresh.length > 0) await pass(fresh);
  }
  return summary.end();
};

/** What an earlier run wrote is not what the source has now. */
class OutdatedCopy extends Error {}

/** Fills a target; where an earlier run began with other content, `clear` empties it and all of it is copied anew. */
export const fillOrBeginAnew = async <Result>(
  fill: () => Promise<Result>,
  clear: () => Promise<void>,
): Promise<Result> => {
  try {
    return await fill();
  } catch (error) {
    if (!(error instanceof OutdatedCopy)) throw error;
    await clear();
    return fill();
  }
};

export const progressOf = ({ table, rows }: Copied, known: number): string =>
  `${table}: ${rows} rows${known === 0 ? '' : `, of which an earlier run wrote ${known}`}`;

/** The facts of a target but the one of the copy itself. */
async function* withoutFact(target: Pick<CopySource, 'rows'>, table: TableShape) {
  const place = table.columns.indexOf('key');
  for await (const rows of target.rows(table)) yield rows.filter((row) => row[place] !== copyFact);
}

interface Comparison extends Passing {
  readonly summary: TableSummary;
  /** The table of facts, which has one more until the end. */
  readonly isInstance: boolean;
}

/** Reads what was written and compares it with what was read. */
export const compareTable = async (
  target: Pick<CopySource, 'rows'>,
  { table, known, summary, isInstance }: Comparison,
): Promise<void> => {
  const rows = (shape: TableShape) => (isInstance ? withoutFact(target, shape) : target.rows(shape));
  const found = await summarize({ rows }, table);
  if (found.sha256 === summary.sha256 && found.rows === summary.rows) return;
  if (known > 0) throw new OutdatedCopy(table.name);
  throw new StartError(
    `The table ${table.name} is not what was copied: ${summary.rows} rows there, ${found.rows} here, or other values`,
  );
};
