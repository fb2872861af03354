import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../test/database/database.ts';
import { createOwnerRole } from '../test/database/owner-role.ts';
import { failToStart, rootPassword, startServer } from '../test/processes/server-process.ts';
import { signInTo } from '../test/clients/management-client.ts';

const secretKey = 'ab'.repeat(32);
let storage: TestStorage;
beforeEach(async () => {
  storage = await createTestStorage();
});
afterEach(() => storage.remove());

/** The environment of a server on the kind of database that the suite runs on. */
const environment = () => ({
  DATA_DIR: storage.dataDir,
  SECRET_KEY: secretKey,
  ...(storage.databaseUrl === undefined ? {} : { DATABASE_URL: storage.databaseUrl }),
});

const start = (env: Readonly<Record<string, string>> = {}) =>
  startServer({ dataDir: storage.dataDir, env: { ...environment(), ...env } });

/** The one line that a server prints before it ends with 1; otherwise all its output, and how it ended. */
const reasonOf = ({ code, output }: { readonly code: number | null; readonly output: string }): string =>
  (code === 1 ? /^Weir cannot start: ([^\n]+)\n$/.exec(output)?.[1] : undefined) ?? `ended with ${code}: ${output}`;

test('AUTH-12 the first start prints a random password once, the second one none, and both work', async () => {
  const first = await start({ INITIAL_ROOT_PASSWORD: '' });
  const password = /password (\S+) \(shown once/.exec(first.output())?.[1] ?? '';
  expect(password).toMatch(/^[0-9A-Za-z]{20}$/);
  await signInTo(first.url, 'root', password);
  await expect(signInTo(first.url, 'root', '123456')).rejects.toThrow('wrong');
  expect(await first.stop('SIGTERM')).toBe(0);
  const second = await start();
  expect(second.output()).not.toContain('password');
  await signInTo(second.url, 'root', password);
  expect(await second.stop('SIGTERM')).toBe(0);
});

test('AUTH-12 a password given by the environment is never printed', async () => {
  const server = await start();
  await signInTo(server.url, 'root', rootPassword);
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(server.output()).not.toContain(rootPassword);
});

test('a port in use stops the start with one line, and what was opened is closed', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  expect(reasonOf(await failToStart({ ...environment(), PORT: port }))).toContain(
    `Port ${port} is in use; choose another with PORT`,
  );
  taken.close();
  // A database that was closed has no journal left beside it.
  expect(existsSync(join(storage.dataDir, 'weir.db-wal'))).toBe(false);
  const server = await start();
  await server.stop('SIGTERM');
});

test('a second process on the same data directory stops with one line, and the first one keeps running', async () => {
  const first = await start();
  expect(reasonOf(await failToStart(environment()))).toContain(
    `Another process is using the data directory ${storage.dataDir}`,
  );
  await signInTo(first.url, 'root', rootPassword);
  await first.stop('SIGTERM');
});

test('another secret key than the one of the database stops the start with one line', async () => {
  const first = await start();
  await first.stop('SIGTERM');
  expect(reasonOf(await failToStart({ ...environment(), SECRET_KEY: 'cd'.repeat(32) }))).toContain(
    'SECRET_KEY does not match this database',
  );
});

test('a data directory that cannot be written stops the start with one line', async () => {
  const file = join(storage.dataDir, 'file');
  writeFileSync(file, '');
  expect(reasonOf(await failToStart({ ...environment(), DATA_DIR: join(file, 'data') }))).toContain(`${file}/data`);
  // O19: no directory can be made there, and Node's own way would try for ever.
  for (const env of [environment(), {}])
    expect(reasonOf(await failToStart({ ...env, DATA_DIR: '/proc/weir/data' }))).toContain('/proc/weir');
  const locked = join(storage.dataDir, 'locked');
  mkdirSync(locked);
  chmodSync(storage.dataDir, 0o755);
  chmodSync(locked, 0o555);
  const asOtherUser = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  expect(reasonOf(await failToStart({ ...environment(), DATA_DIR: locked }, asOtherUser))).toContain(locked);
  expect(reasonOf(await failToStart({ DATA_DIR: locked }, asOtherUser))).toContain(locked);
  rmSync(locked, { recursive: true });
});

if (testDatabaseKind === 'postgres') {
  test('a PostgreSQL that grants too few connections stops the start with its reason, at each step of it', async () => {
    const owner = await createOwnerRole(storage.databaseUrl ?? '');
    for (const connections of [1, 2, 3]) {
      await owner.allow(connections);
      const { code, output } = await failToStart({ ...environment(), DATABASE_URL: owner.databaseUrl });
      expect(code).toBe(1);
      expect(output).toMatch(
        /^Weir cannot start: (PostgreSQL|The database) cannot be used: too many connections for role [^\n]+$/m,
      );
      expect(output).not.toContain('\n    at ');
    }
    await owner.remove();
  });
}

if (testDatabaseKind === 'sqlite') {
  test('S24 a new database beside a kept key is reported at the start, and no first or later start', async () => {
    const own = { SECRET_KEY: '' };
    const warning = /Warning: \S+secret\.key is from an earlier start, but \S+weir\.db was missing or empty/;
    const startAndStop = async () => {
      const server = await start(own);
      await server.stop('SIGTERM');
      return server.output();
    };
    expect(await startAndStop()).not.toContain('from an earlier start');
    expect(await startAndStop()).not.toContain('from an earlier start');
    for (const name of ['weir.db', 'weir.db-wal', 'weir.db-shm']) rmSync(join(storage.dataDir, name), { force: true });
    expect(await startAndStop()).toMatch(warning);
    expect(await startAndStop()).not.toContain('from an earlier start');
    writeFileSync(join(storage.dataDir, 'weir.db'), '');
    expect(await startAndStop()).toMatch(warning);
  });

  test('S24 SQLITE_PATH that names the database of another product is reported at the start', async () => {
    const file = join(storage.dataDir, 'one-api.db');
    writeFileSync(file, 'the database of another product');
    const environmentOfOther = { DATA_DIR: '', SQLITE_PATH: `${file}?_busy_timeout=3000`, SECRET_KEY: secretKey };
    const first = await start(environmentOfOther);
    await first.stop('SIGTERM');
    expect(first.output()).toContain(`Warning: SQLITE_PATH names ${file}, which Weir cannot read`);
    expect(existsSync(join(storage.dataDir, 'weir.db'))).toBe(true);
    const second = await start(environmentOfOther);
    await second.stop('SIGTERM');
    expect(second.output()).not.toContain('which Weir cannot read');
  });
}

test('wrong values of the environment stop the start with one line that names the variable', async () => {
  expect(reasonOf(await failToStart({ ...environment(), PORT: 'http' }))).toContain('PORT must be a port number');
  const shared = { DATA_DIR: storage.dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  expect(reasonOf(await failToStart(shared))).toContain('SECRET_KEY is required with DATABASE_URL');
  expect(reasonOf(await failToStart({ ...shared, SECRET_KEY: secretKey }))).toContain('PostgreSQL cannot be used');
  expect(existsSync(join(storage.dataDir, 'secret.key'))).toBe(false);
});
