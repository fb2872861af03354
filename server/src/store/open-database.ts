import type { Database, DatabaseOptions } from './database.ts';
import { openPostgres } from './engine/postgres/postgres.ts';
import { openSqlite } from './engine/sqlite/sqlite.ts';

/** Claims the data directory, applies migrations and starts the writer. Throws `StartError` where it cannot. */
export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  options.databaseUrl === undefined
    ? openSqlite(options)
    : openPostgres({ ...options, databaseUrl: options.databaseUrl });
