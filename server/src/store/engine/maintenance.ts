import { existsSync } from 'node:fs';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { StartError } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import { claimDataDirectory, databasePath } from './data-directory.ts';
import { reasonOf } from './database-error.ts';
import { missingMigrations } from './migrate.ts';
import { postgresTypes } from './postgres/postgres-types.ts';
import { createSqliteDialect } from './sqlite/sqlite-dialect.ts';
import { startSqliteReaders } from './sqlite/sqlite-readers.ts';
import { startSqliteWriter } from './sqlite/sqlite-writer.ts';

interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

interface Maintained {
  readonly write: Kysely<Schema>;
  close(): Promise<void>;
}

const openPostgresQueries = (databaseUrl: string): Maintained => {
  const pool = new Pool({
    connectionString: databaseUrl,
    types: postgresTypes,
    max: 1,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
  });
  pool.on('error', () => undefined);
  const write = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { write, close: () => write.destroy() };
};

const openSqliteQueries = (dataDir: string): Maintained => {
  if (!existsSync(databasePath(dataDir))) throw new StartError(`There is no database in ${dataDir}`);
  const directory = claimDataDirectory(dataDir);
  const { databasePath: path } = directory;
  const onFatal = () => undefined;
  const writer = startSqliteWriter({ path, onFatal });
  const readers = startSqliteReaders({ path, onFatal });
  const write = new Kysely<Schema>({ dialect: createSqliteDialect({ writer, readers }, 'write') });
  const close = async () => {
    await readers.close();
    await writer.close();
    directory.release();
  };
  return { write, close };
};

/**
 * Opens a database for a small change by hand: beside the nodes of a PostgreSQL, but alone on a SQLite file. It moves no
 * money, makes no tables, and refuses tables of another version.
 */
export const openForMaintenance = async ({ dataDir, databaseUrl }: Place): Promise<Maintained> => {
  const opened = databaseUrl === undefined ? openSqliteQueries(dataDir) : openPostgresQueries(databaseUrl);
  try {
    const applied = await opened.write
      .selectFrom(sql<{ readonly name: string }>`migrations`.as('applied'))
      .select('applied.name')
      .execute();
    const missing = missingMigrations(applied.map(({ name }) => name));
    if (missing.length > 0)
      throw new StartError('The database is of an earlier version: start the gateway once, then try again');
    return opened;
  } catch (error) {
    await opened.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`The database cannot be used: ${reasonOf(error)}`, error);
  }
};
