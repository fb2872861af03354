import { existsSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { StartError } from '../../errors.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
import { snapshotOf } from './snapshot.ts';
import { databasePath } from './data-directory.ts';
import { postgresTypes } from './postgres/postgres-types.ts';
import { createSqliteDialect } from './sqlite/sqlite-dialect.ts';
import { startSqliteReaders } from './sqlite/sqlite-readers.ts';
import type { SqliteWriter } from './sqlite/sqlite-writer.ts';

interface ReadOnlyOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}

export type ReadOnlyDatabase = Pick<Database, 'kind' | 'read' | 'snapshot' | 'close'>;

const refuse = () => Promise.reject(new Error('The database was opened read-only'));
const noWriter: SqliteWriter = {
  run: refuse,
  post: refuse,
  begin: refuse,
  waiting: () => 0,
  identify: refuse,
  close: async () => undefined,
};

/** Looks at a database beside the process that serves from it, without claiming, migrating or changing anything. */
export const openReadOnly = ({ dataDir, databaseUrl }: ReadOnlyOptions): ReadOnlyDatabase => {
  if (databaseUrl !== undefined) {
    const pool = new Pool({ connectionString: databaseUrl, types: postgresTypes, max: 2 });
    const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    return { kind: 'postgres', read, snapshot: snapshotOf(read, 'postgres'), close: () => read.destroy() };
  }
  const path = databasePath(dataDir);
  if (!existsSync(path)) throw new StartError(`There is no database in ${dataDir}`);
  const readers = startSqliteReaders({ path, onFatal: () => undefined });
  const read = new Kysely<Schema>({ dialect: createSqliteDialect({ writer: noWriter, readers }, 'read') });
  return { kind: 'sqlite', read, snapshot: snapshotOf(read, 'sqlite'), close: readers.close };
};
