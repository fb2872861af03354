import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import type { Database, DatabaseOptions } from '../../src/store/database.ts';

/** A fresh, migrated database that is gone after `close`. */
export interface TestDatabase extends Database {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** The kind the suite runs on: `TEST_DATABASE`. */
export const testDatabaseKind = process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';

export type TestDatabaseKind = typeof testDatabaseKind;

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

/** `template`: storage of the same kind that nobody has open; the new storage begins with its content. */
export const createTestStorage = async ({
  kind,
  template,
}: {
  readonly kind?: TestDatabaseKind;
  readonly template?: Omit<TestStorage, 'remove'>;
} = {}): Promise<TestStorage> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'));
  if (template !== undefined) cpSync(template.dataDir, dataDir, { recursive: true });
  const name = `weir_test_${randomUUID().replaceAll('-', '')}`;
  let databaseUrl: string | undefined;
  if ((kind ?? testDatabaseKind) === 'postgres') {
    const source =
      template?.databaseUrl === undefined ? '' : ` template ${new URL(template.databaseUrl).pathname.slice(1)}`;
    await administrate((client) => client.query(`create database ${name}${source}`));
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

declare module 'vitest' {
  export interface ProvidedContext {
    /** Storage with every migration applied, which `openTestDatabase` copies: to migrate anew took most of its time. */
    readonly migrated: Omit<TestStorage, 'remove'>;
  }
}

/** Opens a fresh database of the kind named by `TEST_DATABASE`; `close` removes it. */
export const openTestDatabase = async (options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> => {
  // The long loops of `bench/` run without Vitest.
  const template = process.env['VITEST'] === undefined ? {} : { template: inject('migrated') };
  const { dataDir, databaseUrl, remove } = await createTestStorage(template);
  const database = await openDatabase({ dataDir, databaseUrl, ...options });
  const close = async () => {
    await database.close();
    await remove();
  };
  return { ...database, dataDir, databaseUrl, close };
};
