import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { toPlainError } from '../engine/database-error.ts';
import { copyFact, unfinishedCopy } from './copy-fact.ts';
import { type CopySource, inOrder, migrationTables, readRow, type Row, type TableShape } from './copy-source.ts';

const pageSize = 2000;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const sqliteTables = (database: DatabaseSync): readonly string[] =>
  database
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !migrationTables.includes(name));

const shapeOf = (database: DatabaseSync, name: string): TableShape => {
  const columns = database.prepare('select name, pk from pragma_table_info(?)').all(name);
  const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a['pk']) - Number(b['pk']));
  const counted = database.prepare(`select 1 from sqlite_schema where name = 'sqlite_sequence'`).get();
  const last = counted && database.prepare('select seq from sqlite_sequence where name = ?').get(name);
  return {
    name,
    columns: columns.map((column) => String(column['name'])).toSorted(),
    key: key.map((column) => String(column['name'])),
    lastId: Number(last?.['seq'] ?? 0),
  };
};

export const sqliteShapes = (database: DatabaseSync): readonly TableShape[] => {
  const names = sqliteTables(database);
  const references = names.flatMap((name) =>
    database
      .prepare('select "table" as other from pragma_foreign_key_list(?)')
      .all(name)
      .map(({ other }) => [name, String(other)] as const),
  );
  return inOrder(names, references).map((name) => shapeOf(database, name));
};

export async function* sqliteRows(database: DatabaseSync, table: TableShape): AsyncGenerator<readonly Row[]> {
  const order = (table.key.length === 0 ? table.columns : table.key).map(quote).join(', ');
  const columns = table.columns.map(quote).join(', ');
  const statement = database.prepare(`select ${columns} from ${quote(table.name)} order by ${order}`);
  statement.setReturnArrays(true);
  let page: Row[] = [];
  for (const row of statement.iterate()) {
    page.push(readRow(row, table));
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * The content of a database file, also while a gateway writes to it: a read transaction of the write-ahead log keeps
 * nobody waiting.
 */
export const openSqliteCopySource = (path: string): CopySource => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    database.exec('begin');
    const migrations = database.prepare('select name from migrations order by name').all();
    if (database.prepare('select 1 from instance where key = ?').get(copyFact) !== undefined)
      throw new StartError(unfinishedCopy);
    const tables = sqliteShapes(database);
    const opened = database;
    return {
      migrations: migrations.map(({ name }) => String(name)),
      tables,
      rows: (table) => sqliteRows(opened, table),
      close: async () => opened.close(),
    };
  } catch (error) {
    database?.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`The database ${path} cannot be read: ${toPlainError(error).message}`, error);
  }
};
