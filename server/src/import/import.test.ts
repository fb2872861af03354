import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../../test/database/database.ts';
import { hasStatistics } from '../../test/database/query-plans.ts';
import { startFakeUpstream } from '../../test/fakes/fake-upstream.ts';
import { fillPostgres, type Tables, writeDump, writeSqliteFile } from '../../test/other-gateway/gateway-tables.ts';
import {
  keyOf,
  oneApiChannel,
  oneApiLog,
  oneApiUser,
  password,
  trappedTables,
} from '../../test/other-gateway/one-api-data.ts';
import { importHere, type ImportHere, reportOf, runImportCommand } from '../../test/other-gateway/run-import.ts';
import { signInTo } from '../../test/clients/management-client.ts';
import { failToStart, startServer } from '../../test/processes/server-process.ts';
import { createSecrets } from '../store/credentials/secrets.ts';
import type { Database } from '../store/database.ts';
import { readLogTotals } from '../store/imports/imported-rows.ts';
import type { ImportReport } from './run-import.ts';
import { verifyLedger } from '../store/ledger/verify.ts';
import { openDatabase } from '../store/open-database.ts';
import { openTokenKey } from '../store/tokens.ts';

const secretKey = 'ab'.repeat(32);
let storage: TestStorage;
let folder = '';
beforeEach(async () => {
  storage = await createTestStorage();
  folder = mkdtempSync(join(tmpdir(), 'weir-test-'));
});
afterEach(async () => {
  await storage.remove();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  DATA_DIR: storage.dataDir,
  SECRET_KEY: secretKey,
  ...(storage.databaseUrl === undefined ? {} : { DATABASE_URL: storage.databaseUrl }),
});
const run = (args: readonly string[], killAt?: string) =>
  runImportCommand({ args, env: environment(), ...(killAt !== undefined && { killAt }) });

const importFrom = (name: string, more: Partial<ImportHere> = {}) => {
  const { dataDir, databaseUrl } = storage;
  return importHere(name, { dataDir, databaseUrl, secretKey, ...more });
};

const sqliteFile = (tables: Tables): string => {
  const path = join(folder, 'one-api.db');
  writeSqliteFile(path, tables);
  return path;
};

/** Opens what was imported. */
const open = (more: Partial<Parameters<typeof openDatabase>[0]> = {}): Promise<Database> =>
  openDatabase({ dataDir: storage.dataDir, databaseUrl: storage.databaseUrl, ...more });

const withDatabase = async <Result>(use: (db: Database) => Promise<Result>): Promise<Result> => {
  const db = await open();
  try {
    return await use(db);
  } finally {
    await db.close();
  }
};

/** The finding codes of a report with their numbers. */
const foundIn = ({ findings }: Pick<ImportReport, 'findings'>): Record<string, number> =>
  Object.fromEntries(findings.map(({ code, count }) => [code, count]));

/** What the import says of the database with every trap. */
const trapsFound = {
  orphan_token: 1,
  option_unknown: 1,
  option_invalid: 1,
  option_written: 1,
  user_debt: 2,
  token_overdrawn: 1,
  unlimited_negative: 1,
  names_alike: 2,
  name_unusual: 2,
  no_password: 1,
  password_unknown: 1,
  identity_shared: 1,
  unknown_type: 1,
  unknown_status: 1,
  no_models: 1,
  several_keys: 1,
  config_invalid: 1,
  deleted_user_keys: 1,
  disabled_user_keys: 1,
  subnet: 1,
  key_unusable: 1,
  key_unusual: 1,
  redeemed_by: 1,
  group_free: 1,
  log_user_zero: 1,
  log_type: 1,
};

test('W5 a dry run says all that will not come over, and makes nothing', async () => {
  const dry = await run(['--from', sqliteFile(trappedTables()), '--dry-run', '--json']);
  expect(dry.code).toBe(0);
  expect(reportOf(dry)).toMatchObject({ product: 'One API', rows: { users: 9, tokens: 9, channels: 5, logs: 44 } });
  expect(existsSync(join(storage.dataDir, 'weir.db'))).toBe(false);
  const text = await run(['--from', sqliteFile(trappedTables()), '--dry-run']);
  expect(text.output).toContain('Tokens that are limited to a subnet: 1');
  expect(text.output).toContain('TRUSTED_PROXIES');
  expect(text.output).not.toContain('smtp secret');
});

test('a database of One API with every trap comes over, and nothing differs but what is said', async () => {
  const done = await run(['--from', sqliteFile(trappedTables()), '--json']);
  expect(done.errors).toContain('Comparing with the source');
  expect(done.code).toBe(0);
  expect(reportOf(done)).toMatchObject({ proof: { isEqual: true, differences: [], ledger: [] } });
  const lines = readFileSync(join(storage.dataDir, 'import-proof.csv'), 'utf8').split('\n');
  expect(lines).toContain('users,4,quota,-325,-325,equal');
  expect(lines).toContain('channels,3,type,99,8,stated');
  await withDatabase(async (db) => {
    expect((await verifyLedger(db)).figures.unrecovered).toBe(335);
    expect(await hasStatistics(db, 'users')).toBe(true);
    const users = await db.read.selectFrom('users').selectAll().orderBy('id').execute();
    expect(users.map((user) => [user.available, user.used, user.status])).toEqual([
      [500_000_000_000_000, 0, 1],
      [1_000_000, 4321, 1],
      [5, 0, 1],
      [0, 825, 1],
      [77, 0, 1],
      [900, 0, 3],
      [0, 0, 2],
      [0, 3, 1],
      [0, 0, 1],
    ]);
    const tokens = await db.read.selectFrom('tokens').selectAll().orderBy('id').execute();
    const secrets = createSecrets(Buffer.from(secretKey, 'hex'));
    expect(tokens.map((row) => openTokenKey(secrets, row))).toContain(keyOf(4));
    const config = await db.read.selectFrom('channels').select(['config', 'key_sealed']).execute();
    expect(JSON.stringify(config)).not.toContain('vendor secret');
    expect(JSON.stringify(config)).not.toContain('sk-upstream');
    const options = await db.read.selectFrom('options').selectAll().execute();
    const texts = new Map(options.map(({ key, value }) => [key, value]));
    expect(texts.get('UnpricedModels')).toBe('fallback');
    expect(texts.get('PartRatio')).toBe('{}');
    expect(texts.get('ModelRatio')).toContain('1.2345678901');
    expect(texts.get('SMTPToken')).not.toContain('smtp');
    expect(texts.has('OidcEnabled')).toBe(false);
    const totals = await readLogTotals(db.read);
    expect(totals.hours).toEqual(totals.rows);
    expect(totals.rows).toMatchObject({ requests: 41, quota: 287 });
    const days = await db.read.selectFrom('log_days').select('requests').execute();
    expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(1);
  });
});

test('the ids of what the other gateway deleted are not used again', async () => {
  expect(foundIn(await importFrom(sqliteFile(trappedTables())))).toEqual(trapsFound);
  await withDatabase(async (db) => {
    const row = await db.read.selectFrom('channels').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    const { id, ...values } = row;
    const next = await db.write.insertInto('channels').values(values).returning('id').executeTakeFirstOrThrow();
    expect([id, next.id]).toEqual([1, 78]);
    const log = await db.read.selectFrom('logs').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    const { id: logId, ...record } = log;
    const added = await db.write.insertInto('logs').values(record).returning('id').executeTakeFirstOrThrow();
    expect([logId, added.id]).toEqual([1, 51]);
  });
});

test('a database that is not empty is refused, and left as it is', async () => {
  const path = sqliteFile(trappedTables());
  await importFrom(path);
  const again = await run(['--from', path]);
  expect(again.code).toBe(2);
  expect(again.errors).toContain('is not empty (users, tokens, channels, redemptions, options, ledger, logs)');
  expect(await importFrom(path, { isCheck: true })).toMatchObject({ proof: { isEqual: true } });
});

test('a difference without a finding ends the check with 1', async () => {
  const path = sqliteFile(trappedTables());
  await importFrom(path);
  await withDatabase((db) => db.write.updateTable('users').set({ available: 1_000_001 }).where('id', '=', 2).execute());
  expect(await importFrom(path, { isCheck: true })).toMatchObject({
    proof: {
      isEqual: false,
      differences: [{ table: 'users', id: 2, field: 'quota', source: 1_000_000, here: 1_000_001 }],
      ledger: [{ rule: 'L1', subject: 'user 2' }],
    },
  });
  await withDatabase(async (db) => {
    await db.write.updateTable('users').set({ available: 1_000_000 }).where('id', '=', 2).execute();
    await db.write.updateTable('options').set({ value: '4' }).where('key', '=', 'RetryTimes').execute();
    await db.write.deleteFrom('logs').where('id', '=', 7).execute();
    await db.write.updateTable('tokens').set({ key_digest: 'x' }).where('id', '=', 2).execute();
  });
  const text = await run(['--from', path, '--check']);
  expect(text.code).toBe(1);
  for (const line of [
    'DIFFERENT: options RetryTimes value: 3 there, 4 here',
    'DIFFERENT: logs all rows: 44 there, 43 here',
    'DIFFERENT: tokens 2 key: as in the source there, another here',
  ])
    expect(text.output).toContain(line);
});

test('AUTH-01 users sign in with their old passwords, and their keys and channels work', async () => {
  const upstream = await startFakeUpstream();
  const channels = [oneApiChannel(1, { type: 8, key: upstream.key, base_url: upstream.url, group: 'default,vip' })];
  await importFrom(sqliteFile(trappedTables({ channels })));
  const server = await startServer({ dataDir: storage.dataDir, env: environment() });
  const token = 'access-token-of-user-0002xxxxxxx';
  const self = await fetch(`${server.url}/api/user/self`, { headers: { authorization: token } });
  expect(await self.json()).toMatchObject({ data: { id: 2, quota: 1_000_000, used_quota: 4321, aff_code: 'af2' } });
  const alice = await signInTo(server.url, 'alice', password);
  const quoted = await signInTo(server.url, `o'brien "q" \\`, password);
  expect(await quoted.call('GET', '/api/user/self')).toMatchObject({ id: 4, quota: 0, used_quota: 825 });
  await expect(signInTo(server.url, 'ALICE', password)).rejects.toThrow('wrong');
  const ask = (key: string) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'weir-test', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }),
    });
  expect((await ask(keyOf(2))).status).toBe(200);
  expect((await ask(keyOf(5))).status).toBe(403);
  expect((await ask(keyOf(3))).status).toBe(403);
  const after = await alice.call<{ quota: number }>('GET', '/api/user/self');
  expect(after.quota).toBeLessThan(1_000_000);
  const root = await signInTo(server.url, 'root', password);
  expect(await root.call('GET', '/api/channel/?p=0')).toHaveLength(1);
  expect(await root.call('GET', '/api/log/?p=0')).not.toHaveLength(0);
  expect(await server.stop('SIGTERM')).toBe(0);
  await upstream.close();
  await withDatabase(async (db) => {
    const { password_hash: hash } = await db.read
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow();
    expect(hash).toMatch(/^\$argon2id/);
    expect((await verifyLedger(db)).findings).toEqual([]);
  });
});

test('an import that was killed goes on where it ended, and no server starts on its half', async () => {
  const logs = Array.from({ length: 60_000 }, (_, index) => oneApiLog(index + 1));
  const path = sqliteFile(trappedTables({ logs }));
  const atAccounts = await run(['--from', path], 'Importing accounts');
  expect(atAccounts.code).toBeNull();
  const atLog = await run(['--from', path], '20000 log rows');
  expect(atLog.code).toBeNull();
  const half = await failToStart(environment());
  expect(half.output).toContain('was begun and not finished');
  const other = sqliteFile(trappedTables({ users: [oneApiUser(1, 'other-root', { role: 100 })] }));
  await expect(importFrom(other)).rejects.toThrow('another source');
  const rest = await run(['--from', sqliteFile(trappedTables({ logs })), '--json']);
  expect(rest.errors).toMatch(/Going on behind log row [2-5]\d{4}/);
  expect(rest.code).toBe(0);
  expect(reportOf(rest)).toMatchObject({ proof: { isEqual: true } });
});

test('the log stays behind, or comes from a database of its own', async () => {
  const path = sqliteFile(trappedTables({ logs: [] }));
  const logPath = join(folder, 'logs.db');
  writeSqliteFile(logPath, { logs: [oneApiLog(1), oneApiLog(2)] });
  expect(await importFrom(path, { logsFrom: logPath })).toMatchObject({ rows: { logs: 2 }, proof: { isEqual: true } });
  expect(await withDatabase(async (db) => db.read.selectFrom('logs').select('id').execute())).toHaveLength(2);
});

test('an amount that is no exact whole number stops the import before anything is made', async () => {
  const path = sqliteFile(
    trappedTables({
      users: [
        oneApiUser(1, 'root', { role: 100, quota: 9_223_372_036_854_775_000n }),
        oneApiUser(2, 'b', { quota: 1.5 }),
      ],
    }),
  );
  const refused = await run(['--from', path, '--json']);
  expect(refused.code).toBe(1);
  expect(reportOf(refused)).toMatchObject({
    isBlocked: true,
  });
  expect(refused.output).toContain('"not_exact"');
  expect(reportOf(refused)['proof']).toBeUndefined();
  const filled = await withDatabase((db) => db.read.selectFrom('users').select('id').execute());
  expect(filled).toEqual([]);
});

test('a dump of MySQL comes over as the database itself does', async () => {
  const path = join(folder, 'dump.sql');
  writeDump(path, trappedTables());
  const done = await importFrom(path);
  expect(foundIn(done)).toEqual(trapsFound);
  expect(done).toMatchObject({ proof: { isEqual: true } });
});

test('New API comes over where its tables agree, and the rest is said', async () => {
  const tables: Tables = {
    users: [
      oneApiUser(1, 'root', { role: 100, quota: 100, aff_count: 1, aff_quota: 50, deleted_at: null }),
      oneApiUser(2, 'left', { quota: 7, deleted_at: '2026-01-02 03:04:05+00:00' }),
    ],
    tokens: [
      {
        id: 1,
        user_id: 1,
        key: keyOf(1),
        status: 1,
        name: 'a',
        expired_time: -1,
        remain_quota: 5,
        model_limits_enabled: true,
        model_limits: 'gpt-4o,weir-test',
        allow_ips: '10.0.0.1\n10.1.0.0/16',
        group: 'vip',
        deleted_at: null,
      },
      {
        id: 2,
        user_id: 1,
        key: keyOf(2),
        status: 1,
        name: 'b',
        remain_quota: 6,
        deleted_at: '2026-01-02 03:04:05+00:00',
      },
    ],
    channels: [oneApiChannel(1, { type: 43, tag: 'x' }), oneApiChannel(2, { type: 37 })],
    options: [{ key: 'GroupRatio', value: '{"default":1}' }],
    redemptions: [],
    logs: [oneApiLog(1, { type: 6 }), oneApiLog(2)],
  };
  const done = await importFrom(sqliteFile(tables));
  expect(done).toMatchObject({ proof: { isEqual: true } });
  expect(foundIn(done)).toMatchObject({
    aff_quota: 1,
    token_group: 1,
    renumbered_type: 1,
    unknown_type: 1,
    channel_settings: 1,
    log_type: 1,
  });
  await withDatabase(async (db) => {
    const users = await db.read.selectFrom('users').select(['status', 'available']).orderBy('id').execute();
    expect(users).toEqual([
      { status: 1, available: 100 },
      { status: 3, available: 7 },
    ]);
    const tokens = await db.read.selectFrom('tokens').selectAll().orderBy('id').execute();
    expect(tokens[0]).toMatchObject({ models: 'gpt-4o,weir-test', subnet: '10.0.0.1/32,10.1.0.0/16', deleted_time: 0 });
    expect(tokens[1]?.deleted_time).toBe(1_767_323_045);
    const channels = await db.read.selectFrom('channels').select(['type', 'status']).orderBy('id').execute();
    expect(channels).toEqual([
      { type: 36, status: 1 },
      { type: 8, status: 2 },
    ]);
  });
});

if (testDatabaseKind === 'sqlite') {
  test('W3 a start with SQLITE_PATH that names the file of One API says how to import it, and makes nothing', async () => {
    const path = sqliteFile(trappedTables());
    const { code, output } = await failToStart({ SECRET_KEY: secretKey, SQLITE_PATH: `${path}?_busy_timeout=3000` });
    expect(code).toBe(1);
    expect(output).toContain(`npm run import -- --from ${path}`);
    expect(existsSync(join(folder, 'weir.db'))).toBe(false);
    await importFrom(path, { dataDir: folder });
    const server = await startServer({ dataDir: '', env: { DATA_DIR: '', SQLITE_PATH: path, SECRET_KEY: secretKey } });
    await signInTo(server.url, 'alice', password);
    expect(await server.stop('SIGTERM')).toBe(0);
  });
} else {
  test('a PostgreSQL of One API comes over into PostgreSQL and into SQLite, and no server starts on it', async () => {
    const source = await createTestStorage();
    const url = source.databaseUrl ?? '';
    await fillPostgres(url, trappedTables());
    for (const target of [{}, { dataDir: join(folder, 'sqlite'), databaseUrl: undefined }]) {
      const done = await importFrom(url, target);
      expect(foundIn(done)).toEqual(trapsFound);
      expect(done).toMatchObject({ proof: { isEqual: true } });
    }
    const started = await failToStart({ DATA_DIR: storage.dataDir, SECRET_KEY: secretKey, SQL_DSN: url });
    expect(started.code).toBe(1);
    expect(started.output).toContain('The PostgreSQL database is that of One API');
    await source.remove();
  });
}
