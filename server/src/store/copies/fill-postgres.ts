import type { ClientBase } from 'pg';
import { StartError } from '../../errors.ts';
import { nodeLockSpace } from '../nodes/node-lock.ts';
import { copyFact } from './copy-fact.ts';
import type { CopySource, Row, TableShape } from './copy-source.ts';
import {
  compareTable,
  type Copied,
  fillOrBeginAnew,
  type FillOptions,
  progressOf,
  requireSameTables,
  sumWhile,
} from './fill-steps.ts';
import { lastMigrationOf, migratePostgres } from './migrated-target.ts';
import {
  connectForCopies,
  counterOf,
  hasRunningNodes,
  postgresRows,
  postgresShapes,
  postgresTables,
} from './postgres-copy.ts';
import { quote } from './sqlite-copy.ts';

const isLeft = async (client: ClientBase): Promise<boolean> => {
  const { rowCount } = await client.query('select 1 from instance where key = $1', [copyFact]);
  return rowCount !== 0;
};

/** Refuses a database with rows of its own, but not what an unfinished copy left; keeps other copies out. */
const refuseFilled = async (client: ClientBase): Promise<void> => {
  const isUsed = new StartError('A gateway, a restore or a move is using the target; nothing was changed');
  if (await hasRunningNodes(client)) throw isUsed;
  const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${nodeLockSpace}, 0) as got`);
  if (rows[0]?.got !== true) throw isUsed;
  const tables = await postgresTables(client);
  if (tables.includes('instance') && (await isLeft(client))) return;
  for (const name of tables) {
    const { rowCount } = await client.query(`select 1 from ${quote(name)} limit 1`);
    if (rowCount !== 0) throw new StartError(`The target is not empty (${name} has rows); nothing was changed`);
  }
};

const typesOf = async (client: ClientBase, { name }: TableShape): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await client.query<[string, string]>({
    text: `select attname::text, format_type(atttypid, atttypmod) from pg_attribute
      where attrelid = quote_ident($1)::regclass and attnum > 0 and not attisdropped`,
    values: [name],
    rowMode: 'array',
  });
  return new Map(rows);
};

/** Writes rows in one statement, each column as an array. */
const createInsert = async (client: ClientBase, table: TableShape) => {
  const types = await typesOf(client, table);
  const columns = table.columns.map(quote).join(', ');
  const arrays = table.columns.map((column, index) => `$${index + 1}::${types.get(column) ?? 'text'}[]`);
  const text = `insert into ${quote(table.name)} (${columns}) select * from unnest(${arrays.join(', ')})`;
  return async (rows: readonly Row[]): Promise<void> => {
    const values = table.columns.map((_, index) => rows.map((row) => row[index]));
    await client.query(text, values);
  };
};

/** Ids go on where they ended at the source. */
const keepCounting = async (client: ClientBase, { name, lastId }: TableShape): Promise<void> => {
  const counter = await counterOf(client, name);
  if (counter === undefined) return;
  const highest = `greatest((select max(${quote(counter.column)}) from ${quote(name)}), ${lastId})`;
  await client.query(`select setval('${counter.sequence}', greatest(${highest}, 1), coalesce(${highest}, 0) > 0)`);
};

const fillTable = async (client: ClientBase, source: CopySource, table: TableShape, say: FillOptions['say']) => {
  const isInstance = table.name === 'instance';
  const counted = await client.query<{ rows: number }>(`select count(*) as rows from ${quote(table.name)}`);
  const known = Number(counted.rows[0]?.rows) - (isInstance ? 1 : 0);
  const summary = await sumWhile(source, { table, known }, await createInsert(client, table));
  await keepCounting(client, table);
  await client.query('begin');
  await compareTable({ rows: (shape) => postgresRows(client, shape) }, { table, known, summary, isInstance });
  await client.query('commit');
  const done: Copied = { table: table.name, ...summary };
  say(progressOf(done, known));
  return done;
};

const forEach = (tables: readonly TableShape[], statement: (name: string) => string): string =>
  tables.map(({ name }) => statement(quote(name))).join('; ');

const fill = async (client: ClientBase, source: CopySource, { say, beforeEnd }: FillOptions) => {
  requireSameTables(source.tables, await postgresShapes(client));
  await client.query('begin');
  await client.query(`insert into instance (key, value) values ($1, '') on conflict do nothing`, [copyFact]);
  // No node runs that a change could be told to, and none starts before they are there again.
  await client.query(forEach(source.tables, (name) => `alter table ${name} disable trigger user`));
  await client.query('commit');
  await client.query('set synchronous_commit = off');
  const copied: Copied[] = [];
  for (const table of source.tables) copied.push(await fillTable(client, source, table, say));
  beforeEnd();
  await client.query('set synchronous_commit = on');
  await client.query('begin');
  await client.query(forEach(source.tables, (name) => `alter table ${name} enable trigger user`));
  await client.query('delete from instance where key = $1', [copyFact]);
  await client.query('commit');
  // Queries are planned for what is in the tables: the server itself looks at them a minute later at the earliest.
  await client.query('analyze');
  return copied;
};

/** Empties every table but for the fact of the copy. */
const clear = async (client: ClientBase, { tables }: CopySource): Promise<void> => {
  await client.query('rollback');
  await client.query('begin');
  await client.query(`truncate ${tables.map(({ name }) => quote(name)).join(', ')}`);
  await client.query(`insert into instance (key, value) values ($1, '')`, [copyFact]);
  await client.query('commit');
};

/**
 * Copies everything into an empty database. Killed before its end, no server starts on it, and the next run goes on.
 */
export const fillPostgres = async (
  databaseUrl: string,
  source: CopySource,
  options: FillOptions,
): Promise<readonly Copied[]> => {
  const upTo = lastMigrationOf(source.migrations);
  const client = await connectForCopies(databaseUrl);
  try {
    await refuseFilled(client);
    await migratePostgres(databaseUrl, upTo);
    return await fillOrBeginAnew(
      () => fill(client, source, options),
      () => clear(client, source),
    );
  } finally {
    await client.end();
  }
};
