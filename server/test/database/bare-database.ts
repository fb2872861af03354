import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { createSqliteDialect } from '../../src/store/engine/sqlite/sqlite-dialect.ts';
import { startSqliteReaders } from '../../src/store/engine/sqlite/sqlite-readers.ts';
import { startSqliteWriter } from '../../src/store/engine/sqlite/sqlite-writer.ts';
import type { Schema } from '../../src/store/schema.ts';
import type { TestStorage } from './database.ts';

/** Opens a database as it is: no migration, no lock of the directory. */
export const openBare = async ({ dataDir, databaseUrl }: TestStorage) => {
  if (databaseUrl !== undefined) {
    const pool = new Pool({ connectionString: databaseUrl });
    const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    return { kind: 'postgres', query, close: () => query.destroy() } as const;
  }
  const path = join(dataDir, 'weir.db');
  const onFatal = () => undefined;
  const writer = startSqliteWriter({ path, onFatal });
  await writer.run({ sql: 'pragma user_version', parameters: [] });
  const readers = startSqliteReaders({ path, onFatal });
  const query = new Kysely<Schema>({ dialect: createSqliteDialect({ writer, readers }, 'write') });
  const close = async () => {
    await readers.close();
    await writer.close();
  };
  return { kind: 'sqlite', query, close } as const;
};
