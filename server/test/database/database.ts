import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../src/store/open-database.ts';
import type { Database, DatabaseOptions } from '../../src/store/database.ts';

/** A fresh, migrated database that is gone after `close`. */
export interface TestDatabase extends Database {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** The kind the suite runs on: `TEST_DATABASE`. */
export const testDatabaseKind = process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';

const administrate = async (run: (client: Client) => Promise<unknown>): Promise<void> => {
  const connectionString = process.env['TEST_POSTGRES_URL'];
  if (connectionString === undefined) throw new Error('TEST_DATABASE=postgres needs TEST_POSTGRES_URL');
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
};

/** Empty storage for a test: a data directory, and on PostgreSQL an empty database. */
export interface TestStorage {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  remove(): Promise<void>;
}

export const createTestStorage = async (): Promise<TestStorage> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'));
  const name = `weir_test_${randomUUID().replaceAll('-', '')}`;
  let databaseUrl: string | undefined;
  if (testDatabaseKind === 'postgres') {
    await administrate((client) => client.query(`create database ${name}`));
    const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
    url.pathname = `/${name}`;
    databaseUrl = url.href;
  }
  const remove = async () => {
    rmSync(dataDir, { recursive: true, force: true });
    if (databaseUrl !== undefined) await administrate((client) => client.query(`drop database ${name} with (force)`));
  };
  return { dataDir, databaseUrl, remove };
};

/** Opens a fresh database of the kind named by `TEST_DATABASE`; `close` removes it. */
export const openTestDatabase = async (options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> => {
  const { dataDir, databaseUrl, remove } = await createTestStorage();
  const database = await openDatabase({ dataDir, databaseUrl, ...options });
  const close = async () => {
    await database.close();
    await remove();
  };
  return { ...database, dataDir, databaseUrl, close };
};
