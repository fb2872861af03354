/** The tables of another gateway that are read. */
export const sourceTables = ['users', 'tokens', 'channels', 'redemptions', 'options', 'logs'] as const;
export type SourceTable = (typeof sourceTables)[number];

/** A row as text: every database and dump gives the same. Null and absent are the same. */
export type SourceRow = Readonly<Record<string, string | null | undefined>>;

/** Another gateway's database at one point in time, read and never written. */
export interface Source {
  readonly kind: 'sqlite' | 'postgres' | 'mysql' | 'dump';
  /** The columns of a table; none: there is no such table. */
  columns(table: SourceTable): Promise<readonly string[]>;
  /** Rows in pages, in the order of their ids (options: of their keys), from the one behind `after`. */
  pages(table: SourceTable, after?: number): AsyncIterable<readonly SourceRow[]>;
  close(): Promise<void>;
}

/** Rows of one page. */
export const pageRows = 5000;

/** What a source cannot do, said to the operator as it is. */
export class SourceError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SourceError';
  }
}

/** Runs a query for one page after the other; `read` gets the last id (or key) that was read. */
export const pagesOf = async function* (
  read: (after: string, limit: number) => Promise<readonly SourceRow[]>,
  { key, after }: { readonly key: string; readonly after: string },
): AsyncGenerator<readonly SourceRow[]> {
  let last = after;
  for (;;) {
    const rows = await read(last, pageRows);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1)?.[key] ?? last;
  }
};

/** The column that the pages of a table follow, with the value before all others. */
export const orderOf = (table: SourceTable, after: number) =>
  table === 'options' ? { key: 'key', after: '' } : { key: 'id', after: String(after) };
