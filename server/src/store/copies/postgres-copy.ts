import type { ClientBase } from 'pg';
import { Client } from 'pg';
import { StartError } from '../../errors.ts';
import { postgresTypes } from '../engine/postgres/postgres-types.ts';
import { nodeLockSpace } from '../nodes/node-lock.ts';
import { copyFact, unfinishedCopy } from './copy-fact.ts';
import { type CopySource, inOrder, migrationTables, readRow, type Row, type TableShape } from './copy-source.ts';
import { quote } from './sqlite-copy.ts';

const pageSize = 2000;

/** Rows of a query whose columns are all texts. */
const texts = async (client: ClientBase, text: string, values: readonly unknown[] = []) => {
  const { rows } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
  return rows.map((row) => row.map(String));
};

export const postgresTables = async (client: ClientBase): Promise<readonly string[]> => {
  const rows = await texts(
    client,
    `select relname from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace`,
  );
  return rows.flat().filter((name) => !migrationTables.includes(name));
};

/** The column that a table counts its ids in, and the sequence that counts. */
export const counterOf = async (client: ClientBase, table: string) => {
  const [row] = await texts(
    client,
    `select attname, pg_get_serial_sequence(quote_ident($1), attname) from pg_attribute
      where attrelid = quote_ident($1)::regclass and attidentity <> ''`,
    [table],
  );
  const [column, sequence] = row ?? [];
  return column === undefined || sequence === undefined ? undefined : { column, sequence };
};

const lastIdOf = async (client: ClientBase, table: string): Promise<number> => {
  const counter = await counterOf(client, table);
  if (counter === undefined) return 0;
  const [row] = await texts(client, `select case when is_called then last_value else 0 end from ${counter.sequence}`);
  return Number(row?.[0] ?? 0);
};

const shapeOf = async (client: ClientBase, name: string): Promise<TableShape> => {
  const columns = await texts(
    client,
    `select attname from pg_attribute where attrelid = quote_ident($1)::regclass and attnum > 0 and not attisdropped`,
    [name],
  );
  const key = await texts(
    client,
    `select attname from pg_index, unnest(indkey) with ordinality as part(number, place), pg_attribute
      where indrelid = quote_ident($1)::regclass and indisprimary and attrelid = indrelid and attnum = part.number
      order by part.place`,
    [name],
  );
  return { name, columns: columns.flat().toSorted(), key: key.flat(), lastId: await lastIdOf(client, name) };
};

export const postgresShapes = async (client: ClientBase): Promise<readonly TableShape[]> => {
  const names = await postgresTables(client);
  const references = await texts(
    client,
    `select own.relname, other.relname from pg_constraint
      join pg_class as own on own.oid = conrelid join pg_class as other on other.oid = confrelid
      where contype = 'f' and own.relnamespace = current_schema()::regnamespace`,
  );
  const pairs = references.map(([from = '', to = '']) => [from, to] as const);
  const shapes: TableShape[] = [];
  for (const name of inOrder(names, pairs)) shapes.push(await shapeOf(client, name));
  return shapes;
};

export async function* postgresRows(client: ClientBase, table: TableShape): AsyncGenerator<readonly Row[]> {
  const order = (table.key.length === 0 ? table.columns : table.key).map(quote).join(', ');
  const columns = table.columns.map(quote).join(', ');
  await client.query(
    `declare copied no scroll cursor for select ${columns} from ${quote(table.name)} order by ${order}`,
  );
  try {
    for (;;) {
      const text = `fetch ${pageSize} from copied`;
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      if (rows.length > 0) yield rows.map((row) => readRow(row, table));
      if (rows.length < pageSize) return;
    }
  } finally {
    // After an error the transaction has ended with its cursors.
    await client.query('close copied').catch(() => undefined);
  }
}

export const connectForCopies = async (databaseUrl: string): Promise<Client> => {
  const client = new Client({ connectionString: databaseUrl, types: postgresTypes, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : String(error);
    throw new StartError(`PostgreSQL cannot be used: ${reason}`, error);
  }
};

/** Whether a gateway uses the database: each has a lock on its node's name. */
export const hasRunningNodes = async (client: ClientBase): Promise<boolean> => {
  const rows = await texts(
    client,
    `select 1 from pg_locks where locktype = 'advisory' and granted and objsubid = 2 and classid = ${nodeLockSpace}
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length > 0;
};

/** The content of a PostgreSQL database at one point in time, also while gateways write to it. */
export const openPostgresCopySource = async (databaseUrl: string): Promise<CopySource> => {
  const client = await connectForCopies(databaseUrl);
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const [known] = await texts(client, `select to_regclass('migrations') is not null`);
    if (known?.[0] !== 'true') throw new StartError('The PostgreSQL database has no tables of Weir');
    const migrations = await texts(client, 'select name from migrations order by name');
    const { rowCount } = await client.query('select 1 from instance where key = $1', [copyFact]);
    if (rowCount !== 0) throw new StartError(unfinishedCopy);
    const tables = await postgresShapes(client);
    return {
      migrations: migrations.flat(),
      tables,
      rows: (table) => postgresRows(client, table),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
};
