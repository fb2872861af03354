import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestStorage, testDatabaseKind } from '../../../test/database/database.ts';
import { StartError } from '../../errors.ts';
import { startTransactionPooler } from '../../../test/faults/transaction-pooler.ts';
import { openDatabase } from '../open-database.ts';
import type { DatabaseOptions } from '../database.ts';

/** The message to the operator when the start is refused. */
const refusal = async (options: DatabaseOptions): Promise<string> => {
  const error: unknown = await openDatabase(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  return error instanceof StartError ? error.message : '';
};

test('a second process on the same data directory is refused with one line', async () => {
  const storage = await createTestStorage();
  const db = await openDatabase(storage);
  expect(await refusal(storage)).toBe(`Another process is using the data directory ${storage.dataDir}`);
  await db.read.selectFrom('users').selectAll().execute();
  await db.close();
  await (await openDatabase(storage)).close();
  await storage.remove();
});

test('S21 the database and its journal are for their owner alone, also those of an earlier version', async () => {
  const storage = await createTestStorage();
  const { dataDir } = storage;
  const modes = () =>
    readdirSync(dataDir)
      .filter((name) => name.startsWith('weir.db'))
      .map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
  const wanted = [
    ['weir.db', 0o600],
    ['weir.db-shm', 0o600],
    ['weir.db-wal', 0o600],
  ];
  const first = await openDatabase({ dataDir });
  expect(modes()).toEqual(wanted);
  await first.close();
  chmodSync(join(dataDir, 'weir.db'), 0o644);
  const second = await openDatabase({ dataDir });
  expect(modes()).toEqual(wanted);
  await second.close();
  await storage.remove();
});

test('a data directory that cannot be written is refused with one line', async () => {
  const storage = await createTestStorage();
  const file = join(storage.dataDir, 'file');
  writeFileSync(file, '');
  const message = await refusal({ ...storage, dataDir: join(file, 'data') });
  expect(message).toMatch(/^The data directory .* cannot be written: ENOTDIR$/);
  mkdirSync(join(storage.dataDir, 'weir.lock'));
  expect(await refusal(storage)).toMatch(/^The data directory .* cannot be locked: [^\n]*$/);
  await storage.remove();
});

test('another secret key than at the first start is refused', async () => {
  const storage = await createTestStorage();
  await (await openDatabase({ ...storage, secretFingerprint: 'one' })).close();
  await (await openDatabase({ ...storage, secretFingerprint: 'one' })).close();
  expect(await refusal({ ...storage, secretFingerprint: 'two' })).toContain('SECRET_KEY does not match this database');
  await (await openDatabase({ ...storage, secretFingerprint: 'one' })).close();
  await storage.remove();
});

test('every start has an epoch of its own, node by node', async () => {
  const storage = await createTestStorage();
  for (const nodeName of ['a', 'a', 'b']) await (await openDatabase({ ...storage, nodeName })).close();
  const db = await openDatabase({ ...storage, nodeName: 'a' });
  const epochs = db.read.selectFrom('instance').selectAll().where('key', 'like', 'epoch:%').orderBy('key');
  expect(await epochs.execute()).toEqual([
    { key: 'epoch:a', value: '3' },
    { key: 'epoch:b', value: '1' },
  ]);
  await db.close();
  await storage.remove();
});

if (testDatabaseKind === 'sqlite') {
  test('a file that is no database is refused with one line', async () => {
    const storage = await createTestStorage();
    writeFileSync(join(storage.dataDir, 'weir.db'), 'This is a text and no database at all. '.repeat(100));
    expect(await refusal(storage)).toMatch(/^The database .*weir\.db cannot be used: [^\n]*$/);
    await storage.remove();
  });
} else {
  test('a second process with the same node name is refused, one with another name is not', async () => {
    const storage = await createTestStorage();
    const second = await createTestStorage();
    const db = await openDatabase({ ...storage, nodeName: 'a' });
    const elsewhere = { dataDir: second.dataDir, databaseUrl: storage.databaseUrl };
    expect(await refusal({ ...elsewhere, nodeName: 'a' })).toContain('Another process is running as node a');
    await (await openDatabase({ ...elsewhere, nodeName: 'b' })).close();
    await db.close();
    await storage.remove();
    await second.remove();
  });

  test('a PostgreSQL that is not there is refused with one line', async () => {
    const storage = await createTestStorage();
    const message = await refusal({ ...storage, databaseUrl: 'postgres://unknown@127.0.0.1:1/nothing' });
    expect(message).toMatch(/^PostgreSQL cannot be used: [^\n]*$/);
    await storage.remove();
  });

  test('S25 the start with a PostgreSQL that is away names the cause, for a name with several addresses too', async () => {
    const storage = await createTestStorage();
    for (const host of ['127.0.0.1', 'localhost']) {
      const message = await refusal({ ...storage, databaseUrl: `postgres://unknown@${host}:1/nothing` });
      expect(message).toMatch(/^PostgreSQL cannot be used: connect ECONNREFUSED [^\n]*$/);
    }
    await storage.remove();
  });

  test('M9 a pooler that shares sessions between transactions is refused with one line that says what works', async () => {
    const storage = await createTestStorage();
    const url = new URL(storage.databaseUrl ?? '');
    const pooler = await startTransactionPooler({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${pooler.port}`;
    const message = await refusal({ ...storage, databaseUrl: url.href });
    expect(message).toMatch(/^PostgreSQL is behind a pooler [^\n]*pool_mode = session$/);
    await (await openDatabase(storage)).close();
    await pooler.close();
    await storage.remove();
  });

  test('N10 commits are durable where the database has synchronous_commit off, and a stronger setting stays', async () => {
    const storage = await createTestStorage();
    const client = new Client({ connectionString: storage.databaseUrl });
    await client.connect();
    const name = new URL(storage.databaseUrl ?? '').pathname.slice(1);
    for (const [given, used] of [
      ['off', 'on'],
      ['remote_apply', 'remote_apply'],
    ]) {
      await client.query(`alter database ${name} set synchronous_commit = ${given}`);
      const db = await openDatabase(storage);
      const settings = db.read.selectFrom(sql<{ setting: string }>`pg_settings`.as('settings')).select('setting');
      const { setting } = await settings.where(sql<boolean>`name = 'synchronous_commit'`).executeTakeFirstOrThrow();
      expect(setting).toBe(used);
      await db.close();
    }
    await client.end();
    await storage.remove();
  });

  test('K13 lists and charts are read without helping processes and without compiling, whatever the database has set', async () => {
    await using stack = new AsyncDisposableStack();
    const storage = await createTestStorage();
    stack.defer(() => storage.remove());
    const client = new Client({ connectionString: storage.databaseUrl });
    await client.connect();
    const name = new URL(storage.databaseUrl ?? '').pathname.slice(1);
    await client.query(`alter database ${name} set max_parallel_workers_per_gather = 4`);
    await client.query(`alter database ${name} set jit = on`);
    await client.end();
    const db = await openDatabase(storage);
    stack.defer(() => db.close());
    const settings = db.read
      .selectFrom(sql<{ name: string; setting: string }>`pg_settings`.as('settings'))
      .select(['name', 'setting'])
      .where('name', 'in', ['jit', 'max_parallel_workers_per_gather'])
      .orderBy('name');
    expect(await settings.execute()).toEqual([
      { name: 'jit', setting: 'off' },
      { name: 'max_parallel_workers_per_gather', setting: '0' },
    ]);
  });

  test('several nodes that start together on an empty database all start', async () => {
    const storages = await Promise.all([createTestStorage(), createTestStorage(), createTestStorage()]);
    const databaseUrl = storages[0]?.databaseUrl;
    const nodes = await Promise.all(
      storages.map(({ dataDir }, index) => openDatabase({ dataDir, databaseUrl, nodeName: `node${index}` })),
    );
    for (const node of nodes) expect(await node.read.selectFrom('users').selectAll().execute()).toEqual([]);
    for (const node of nodes) await node.close();
    for (const storage of storages) await storage.remove();
  });
}
