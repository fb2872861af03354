import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { orderOf, pagesOf, type Source, SourceError, type SourceRow, type SourceTable } from './source.ts';

const connect = async (url: string): Promise<Connection> => {
  const { hostname, port, username, password, pathname } = new URL(url);
  const connection = await createConnection({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 3306 : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    charset: 'utf8mb4_bin',
    connectTimeout: 10_000,
    // Everything as the text that the server sends.
    typeCast: (field) => field.string(),
  });
  await connection.query('set session transaction isolation level repeatable read');
  await connection.query('start transaction with consistent snapshot, read only');
  return connection;
};

const toRow = (packet: RowDataPacket): SourceRow =>
  Object.fromEntries(
    Object.entries(packet).map(([name, value]: [string, unknown]) => [name, typeof value === 'string' ? value : null]),
  );

/** A gateway's MySQL or MariaDB database, read on one connection within one read-only transaction. */
export const openMysqlSource = async (url: string): Promise<Source> => {
  const connection = await connect(url).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError(`The MySQL to import from cannot be read: ${reason}`, error);
  });
  const columns = async (table: SourceTable) => {
    const [rows] = await connection.query<RowDataPacket[]>(
      `select column_name as name from information_schema.columns
        where table_schema = database() and table_name = ? order by ordinal_position`,
      [table],
    );
    return rows.map(({ name }) => String(name));
  };
  const readPage = async (table: SourceTable, after: string, limit: number): Promise<readonly SourceRow[]> => {
    const { key } = orderOf(table, 0);
    // Keys of options are compared by bytes, so that none of them is passed over.
    const column = key === 'id' ? '`id`' : 'cast(`key` as binary)';
    const text = `select * from \`${table}\` where ${column} > ? order by ${column} limit ${limit}`;
    const [rows] = await connection.query<RowDataPacket[]>(text, [key === 'id' ? Number(after) : after]);
    return rows.map(toRow);
  };
  return {
    kind: 'mysql',
    columns,
    pages: (table, after = Number.MIN_SAFE_INTEGER) =>
      pagesOf((last, limit) => readPage(table, last, limit), orderOf(table, after)),
    close: () => connection.end(),
  };
};
