import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { orderOf, pagesOf, type Source, SourceError, type SourceRow, type SourceTable } from './source.ts';

const textOf = (value: SQLOutputValue): string | null => {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A gateway's SQLite file. It is opened read-only, and read within one transaction. */
export const openSqliteSource = (path: string): Source => {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.exec('pragma busy_timeout = 5000; begin; select count(*) from sqlite_master');
  } catch (error) {
    throw new SourceError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  const columns = async (table: SourceTable) =>
    database
      .prepare(`select name from pragma_table_info(?)`)
      .all(table)
      .map(({ name }) => String(name));
  const readPage = async (table: SourceTable, after: string, limit: number): Promise<readonly SourceRow[]> => {
    const { key } = orderOf(table, 0);
    const statement = database.prepare(
      `select * from ${quoted(table)} where ${quoted(key)} > ? order by ${quoted(key)} limit ${limit}`,
    );
    statement.setReadBigInts(true);
    const rows = statement.all(key === 'id' ? BigInt(after) : after);
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)])));
  };
  return {
    kind: 'sqlite',
    columns,
    pages: (table, after = Number.MIN_SAFE_INTEGER) =>
      pagesOf((last, limit) => readPage(table, last, limit), orderOf(table, after)),
    close: async () => database.close(),
  };
};
