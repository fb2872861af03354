import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { StartError } from '../../errors.ts';
import { migrate, migrationNames } from '../engine/migrate.ts';
import { refuseOtherGateway } from '../engine/other-gateway.ts';
import { createSqliteDialect } from '../engine/sqlite/sqlite-dialect.ts';
import { startSqliteReaders } from '../engine/sqlite/sqlite-readers.ts';
import { startSqliteWriter } from '../engine/sqlite/sqlite-writer.ts';
import type { Schema } from '../schema.ts';

/** The last of a source's migrations. All of them must be known here, in this order. */
export const lastMigrationOf = (migrations: readonly string[]): string => {
  const last = migrations.at(-1);
  if (last === undefined) throw new StartError('The source has no tables of Weir');
  if (migrations.some((name, index) => migrationNames[index] !== name))
    throw new StartError('The source was made by a newer version of Weir; use that version or a later one');
  return last;
};

/** Makes the tables as they were at the source: the next start brings them up to date. */
export const migrateSqliteFile = async (path: string, upTo: string): Promise<void> => {
  const onFatal = () => undefined;
  const writer = startSqliteWriter({ path, onFatal });
  const readers = startSqliteReaders({ path, onFatal });
  try {
    await writer.run({ sql: 'pragma user_version', parameters: [] });
    const db = new Kysely<Schema>({ dialect: createSqliteDialect({ writer, readers }, 'write') });
    await migrate({ db, kind: 'sqlite', upTo });
  } finally {
    await readers.close();
    await writer.close();
  }
};

export const migratePostgres = async (databaseUrl: string, upTo: string): Promise<void> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await refuseOtherGateway(db);
    await migrate({ db, kind: 'postgres', upTo });
  } finally {
    await db.destroy();
  }
};
