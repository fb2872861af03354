import { Client } from 'pg';
import { orderOf, pagesOf, type Source, SourceError, type SourceRow, type SourceTable } from './source.ts';

/** Everything as the text that PostgreSQL sends. */
const asText = { getTypeParser: () => (text: string) => text };

const readOnce = 'begin transaction isolation level repeatable read read only';

/** A gateway's PostgreSQL database, read on one connection within one read-only transaction. */
export const openPostgresSource = async (url: string): Promise<Source> => {
  const client = new Client({ connectionString: url, types: asText, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(readOnce);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new SourceError(
      `The PostgreSQL to import from cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
  const columns = async (table: SourceTable) => {
    const { rows } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
      [table],
    );
    return rows.map(({ name }) => name);
  };
  const readPage = async (table: SourceTable, after: string, limit: number): Promise<readonly SourceRow[]> => {
    const { key } = orderOf(table, 0);
    const text = `select * from "${table}" where "${key}" > $1 order by "${key}" limit ${limit}`;
    return (await client.query<SourceRow>(text, [after])).rows;
  };
  return {
    kind: 'postgres',
    columns,
    pages: (table, after = Number.MIN_SAFE_INTEGER) =>
      pagesOf((last, limit) => readPage(table, last, limit), orderOf(table, after)),
    close: () => client.end(),
  };
};
