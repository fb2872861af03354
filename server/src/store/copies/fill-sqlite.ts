import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { claimDataDirectory, databasePath } from '../engine/data-directory.ts';
import { openSqliteConnection } from '../engine/sqlite/sqlite-connection.ts';
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
import { lastMigrationOf, migrateSqliteFile } from './migrated-target.ts';
import { quote, sqliteRows, sqliteShapes, sqliteTables } from './sqlite-copy.ts';

type Connection = ReturnType<typeof openSqliteConnection>;

const removeFile = (path: string): void => {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
};

/** Refuses a file with rows of its own; what an unfinished copy left stays, and an empty file goes. */
const refuseFilled = (path: string): void => {
  const database = new DatabaseSync(path);
  try {
    const tables = sqliteTables(database);
    const isLeft =
      tables.includes('instance') &&
      database.prepare('select 1 from instance where key = ?').get(copyFact) !== undefined;
    if (!isLeft && tables.some((name) => database.prepare(`select 1 from ${quote(name)} limit 1`).get() !== undefined))
      throw new StartError(`The target ${path} is not empty; nothing was changed`);
    if (isLeft) return;
  } finally {
    database.close();
  }
  removeFile(path);
};

const insertRows = (connection: Connection, table: TableShape, rows: readonly Row[]): void => {
  const places = table.columns.map(() => '?').join(', ');
  const sql = `insert into ${quote(table.name)} (${table.columns.map(quote).join(', ')}) values (${places})`;
  connection.database.exec('begin');
  for (const row of rows) connection.run({ sql, parameters: row });
  connection.database.exec('commit');
};

/** Ids go on where they ended at the source. */
const keepCounting = ({ database }: Connection, { name, lastId }: TableShape): void => {
  const isCounted = database
    .prepare(`select 1 from sqlite_schema where name = ? and sql like '%autoincrement%'`)
    .get(name);
  if (isCounted === undefined || lastId === 0) return;
  database.prepare('delete from sqlite_sequence where name = ?').run(name);
  database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, lastId);
};

const fill = async (connection: Connection, source: CopySource, { say }: FillOptions): Promise<readonly Copied[]> => {
  const { database } = connection;
  database.prepare(`insert or ignore into instance (key, value) values (?, '')`).run(copyFact);
  // A power cut may lose the latest rows, which the next run writes; what is there at the end is flushed then.
  database.exec('pragma synchronous = normal');
  requireSameTables(source.tables, sqliteShapes(database));
  const copied: Copied[] = [];
  for (const table of source.tables) {
    const isInstance = table.name === 'instance';
    const count = database.prepare(`select count(*) as rows from ${quote(table.name)}`).get()?.['rows'];
    const known = Number(count) - (isInstance ? 1 : 0);
    const summary = await sumWhile(source, { table, known }, async (rows) => insertRows(connection, table, rows));
    keepCounting(connection, table);
    await compareTable({ rows: (shape) => sqliteRows(database, shape) }, { table, known, summary, isInstance });
    const done = { table: table.name, ...summary };
    copied.push(done);
    say(progressOf(done, known));
  }
  return copied;
};

const fillFile = async (path: string, source: CopySource, options: FillOptions): Promise<readonly Copied[]> => {
  await migrateSqliteFile(path, lastMigrationOf(source.migrations));
  const connection = openSqliteConnection(path, 'write');
  try {
    const copied = await fill(connection, source, options);
    options.beforeEnd();
    connection.database.exec('pragma synchronous = full; pragma wal_checkpoint(truncate)');
    connection.database.prepare('delete from instance where key = ?').run(copyFact);
    return copied;
  } finally {
    connection.close();
  }
};

/**
 * Copies everything into the file of a data directory that has none. Killed before its end, no server starts on it, and
 * the next run goes on.
 */
export const fillSqlite = async (
  dataDir: string,
  source: CopySource,
  options: FillOptions,
): Promise<readonly Copied[]> => {
  lastMigrationOf(source.migrations);
  const directory = claimDataDirectory(dataDir);
  const path = databasePath(dataDir);
  try {
    if (existsSync(path)) refuseFilled(path);
    return await fillOrBeginAnew(
      () => fillFile(path, source, options),
      async () => removeFile(path),
    );
  } finally {
    directory.release();
  }
};
