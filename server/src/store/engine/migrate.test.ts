import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type KyselyPlugin } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openBare } from '../../../test/database/bare-database.ts';
import { createTestStorage, testDatabaseKind } from '../../../test/database/database.ts';
import { openDatabase } from '../open-database.ts';
import { migrate, migrationNames } from './migrate.ts';

/** Fails at the given statement, as a process does that is killed there. */
const failAt = (limit: number): KyselyPlugin & { readonly seen: () => number } => {
  let seen = 0;
  return {
    seen: () => seen,
    transformQuery: ({ node }) => {
      seen += 1;
      if (seen === limit) throw new Error('killed here');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
};

test('every file of the folder is in the list of migrations, in its order', () => {
  const files = readdirSync(join(import.meta.dirname, '..', '..', '..', 'migrations')).toSorted();
  expect(migrationNames.map((name) => `${name}.ts`)).toEqual(files);
});

test('a database at an earlier migration is brought to the last one at start', async () => {
  // All migrations of a start are one transaction, whose begin is all that differs: each third takes 16 s on PostgreSQL.
  for (const name of migrationNames.filter((_, index) => index % 3 === 0)) {
    const storage = await createTestStorage();
    const bare = await openBare(storage);
    await migrate({ db: bare.query, kind: bare.kind, upTo: name });
    await bare.close();
    const db = await openDatabase(storage);
    expect(await db.read.selectFrom('users').selectAll().execute()).toEqual([]);
    await db.close();
    await storage.remove();
  }
});

test('migrations that were killed at some statement leave nothing half done', async () => {
  const storage = await createTestStorage();
  const bare = await openBare(storage);
  const tables = async () => {
    const found = await bare.query.introspection.getTables();
    return found.map((table) => table.name).filter((name) => !name.startsWith('migrations'));
  };
  const found: string[][] = [];
  // The time grows with the square of the statements. Odd, so that it meets each kind of statement.
  const step = { sqlite: 5, postgres: 9 }[testDatabaseKind];
  for (let limit = 1; ; limit += step) {
    const plugin = failAt(limit);
    await migrate({ db: bare.query.withPlugin(plugin), kind: bare.kind }).catch(() => undefined);
    if (plugin.seen() < limit) break;
    found.push(await tables());
  }
  expect(found.length).toBeGreaterThan(20);
  const all = await tables();
  expect(all).toContain('ledger');
  expect(found.filter((names) => names.length > 0 && names.length < all.length)).toEqual([]);
  expect(found.filter((names) => names.length === 0).length).toBeGreaterThan(20);
  await bare.close();
  await storage.remove();
});

test('a database of a newer version is refused with one line', async () => {
  const storage = await createTestStorage();
  const db = await openDatabase(storage);
  await sql`insert into migrations (name, timestamp) values ('9999-later', '')`.execute(db.write);
  await db.close();
  await expect(openDatabase(storage)).rejects.toThrow(/^The database was created by a newer version of Weir; [^\n]*$/);
  await storage.remove();
});

test('starting again applies nothing twice', async () => {
  const storage = await createTestStorage();
  const first = await openDatabase(storage);
  await first.write.insertInto('options').values({ key: 'kept', value: '', version: 1 }).execute();
  await first.close();
  const second = await openDatabase(storage);
  expect((await second.read.selectFrom('options').selectAll().execute()).length).toBe(1);
  await second.close();
  await storage.remove();
});

if (testDatabaseKind === 'postgres') {
  test('M8 migrations wait for a table that a backup reads, and keep the calls of running nodes waiting for no longer than a moment', async () => {
    const storage = await createTestStorage();
    const bare = await openBare(storage);
    await migrate({ db: bare.query, kind: bare.kind, upTo: '0011-change-notices' });
    const backup = new Client({ connectionString: storage.databaseUrl });
    await backup.connect();
    await backup.query('begin');
    await backup.query('lock table users in access share mode');
    const seen: string[] = [];
    const starting = openDatabase({ ...storage, onMigration: (name) => void seen.push(name) });
    await expect.poll(() => seen.filter((name) => name.startsWith('waiting')).length).toBeGreaterThan(1);
    // Between two tries, and at worst after one.
    const started = performance.now();
    await bare.query.updateTable('users').set({ used: 0 }).execute();
    expect(performance.now() - started).toBeLessThan(10_000);
    await backup.query('commit');
    await backup.end();
    const db = await starting;
    expect(seen.slice(seen.findLastIndex((name) => name.startsWith('waiting')) + 1)[0]).toBe('0012-user-name-keys');
    expect(await db.read.selectFrom('users').select('name_key').execute()).toEqual([]);
    await db.close();
    await bare.close();
    await storage.remove();
  });
}
