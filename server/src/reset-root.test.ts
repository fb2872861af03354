import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../test/database/database.ts';
import { createPasswords } from './http/passwords/passwords.ts';
import { runFirstStart } from './jobs/first-start.ts';
import { listAuditEntries } from './store/audit.ts';
import { createSecrets } from './store/credentials/secrets.ts';
import type { Database } from './store/database.ts';
import { openDatabase } from './store/open-database.ts';
import { findSession, insertSession } from './store/users/sessions.ts';
import { findRoot } from './store/users/users.ts';

const places: TestStorage[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});
const storage = async (template?: Omit<TestStorage, 'remove'>) => {
  const place = await createTestStorage(template && { template });
  places.push(place);
  return place;
};

const resetRoot = async ({ dataDir, databaseUrl }: TestStorage, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reset-root.ts'), ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATA_DIR: dataDir,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, output };
};

const firstStart = (db: Database) =>
  runFirstStart({
    db,
    secrets: createSecrets(Buffer.alloc(32, 1)),
    clock: { now: () => 1000 },
    hashPassword: async () => 'lost',
    password: 'lost',
    token: undefined,
    accessToken: 'a'.repeat(32),
  });

test('O10 reset-root prints a new password once, ends sessions and the access token, and is audited', async () => {
  const place = await storage(inject('migrated'));
  const open = () => openDatabase({ dataDir: place.dataDir, databaseUrl: place.databaseUrl });
  let db = await open();
  await firstStart(db);
  const digest = 'd'.repeat(64);
  const userId = (await findRoot(db.read))?.id ?? 0;
  await insertSession(db, { digest, user_id: userId, created_at: 1, seen_at: 1, expires_at: 9e9, data: '' });
  // A file belongs to the gateway that runs on it; PostgreSQL is shared.
  if (testDatabaseKind === 'sqlite') {
    const { code, output } = await resetRoot(place);
    expect(output).toMatch(/^Another process is using the data directory .*\n$/);
    expect(code).toBe(1);
    await db.close();
  }
  const { code, output } = await resetRoot(place);
  expect(code).toBe(0);
  if (testDatabaseKind === 'sqlite') db = await open();
  const [, password = ''] = /^Sign in as root with the password (\w{20}) \(shown once; .*\)\n$/.exec(output) ?? [];
  const root = await findRoot(db.read);
  expect(await createPasswords().matches(password, root?.password_hash)).toBe(true);
  expect(root).toMatchObject({ must_change_password: 1, access_token_digest: '' });
  expect(await findSession(db, digest, 2)).toBeUndefined();
  const entries = await listAuditEntries(db.read, { before: 0, count: 10 });
  expect(entries).toMatchObject([
    { action: 'reset_password', subject: `user ${userId}`, detail: 'npm run reset-root' },
  ]);
  await db.close();
});

test('O10 reset-root says in one line that there is no database, no root, or an unknown argument', async () => {
  const [bare, migrated] = [await storage(), await storage(inject('migrated'))];
  const said = [await resetRoot(bare), await resetRoot(migrated), await resetRoot(migrated, '--now')];
  for (const { code, output } of said) {
    expect(output).toMatch(/^[^\n]+\n$/);
    expect(code).toBe(1);
  }
  expect(said[1]?.output).toContain('no root account');
  expect((await resetRoot(migrated, '--help')).output).toContain('npm run reset-root');
});
