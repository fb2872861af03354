import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordQueries } from '../../test/database/query-plans.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
import { openChanges } from './nodes/changes.ts';
import type { Database } from './database.ts';
import { loadOptions } from './options.ts';
import { createSecrets } from './credentials/secrets.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await openTestDatabase();
});
afterEach(() => db.close());

const secrets = createSecrets(Buffer.alloc(32, 1));

/** The options of one node. Nodes that are given no `changes` of the same feed know nothing of each other. */
const load = async (database: Database = db) => {
  const changes = await openChanges({});
  const options = await loadOptions({ db: database, secrets, changes, defaults: { ModelRatio: '{"m":1}' } });
  return { options, changes };
};

/** A database whose next answer is held back, from the query until `release`. */
const withHeldAnswer = () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: reach } = Promise.withResolvers<void>();
  let armed = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!armed) return result;
      armed = false;
      reach();
      await released;
      return result;
    },
  };
  const database: Database = { ...db, read: db.read.withPlugin(plugin) };
  return { database, held, release, arm: () => (armed = true) };
};

test('R21 defaults, stored values and their kinds', async () => {
  const { options } = await load();
  expect(options.get('RetryTimes')).toBe(2);
  expect(options.get('ModelRatio')).toBe('{"m":1}');
  expect(options.get('EmailDomainWhitelist')).toContain('gmail.com');
  await options.set('RetryTimes', '3');
  await options.set('LogConsumeEnabled', 'false');
  expect(options.get('RetryTimes')).toBe(3);
  expect(options.get('LogConsumeEnabled')).toBe(false);
  const { options: restarted } = await load();
  expect(restarted.get('RetryTimes')).toBe(3);
  // An operator's 0 is a value like any other.
  await options.set('RetryTimes', '0');
  expect((await load()).options.get('RetryTimes')).toBe(0);
});

test('a reading that began before a change does not undo it in memory', async () => {
  const { database, held, release, arm } = withHeldAnswer();
  const { options, changes } = await load(database);
  await options.set('RetryTimes', '1');
  arm();
  changes.publish({ topic: 'option', id: 0 });
  await held;
  await options.set('RetryTimes', '2');
  release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(options.get('RetryTimes')).toBe(2);
});

test('a change made by another node is applied and reaches the watchers', async () => {
  const { options, changes } = await load();
  const { options: other } = await load();
  await options.set('RetryTimes', '1');
  const changed = new Promise<void>((resolve) => void options.watch(['SystemName'], resolve));
  let wronglyNotified = false;
  options.watch(['RetryTimes'], () => (wronglyNotified = true));
  await other.set('SystemName', 'Dam');
  changes.publish({ topic: 'option', id: 'SystemName' });
  await changed;
  expect(options.get('SystemName')).toBe('Dam');
  expect(options.get('RetryTimes')).toBe(1);
  expect(wronglyNotified).toBe(false);
});

test('two nodes that set one option at once agree after reading again', async () => {
  const nodes = await Promise.all([load(), load()]);
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(nodes.map(({ options }, index) => options.set('RetryTimes', String(round * 2 + index))));
  }
  const [one, other] = nodes;
  const known = () => [one.options.get('RetryTimes'), other.options.get('RetryTimes')];
  const stored = await db.read.selectFrom('options').select('value').where('key', '=', 'RetryTimes').execute();
  for (const { changes } of nodes) changes.publish({ topic: 'option', id: 0 });
  await expect.poll(known).toEqual([Number(stored[0]?.value), Number(stored[0]?.value)]);
});

test('what is written alongside is stored with the option or not at all', async () => {
  const { options } = await load();
  const failing = options.set('RetryTimes', '5', () => Promise.reject(new Error('no audit row')));
  await expect(failing).rejects.toThrow('no audit row');
  expect(options.get('RetryTimes')).toBe(2);
  expect(await db.read.selectFrom('options').selectAll().execute()).toEqual([]);
});

test('a secret is sealed in the database and read back in memory', async () => {
  const { options } = await load();
  await options.set('SMTPToken', 'canary-password');
  const rows = await db.read.selectFrom('options').select('value').execute();
  expect(JSON.stringify(rows)).not.toContain('canary');
  const { options: restarted } = await load();
  expect(restarted.text('SMTPToken')).toBe('canary-password');
});

test('a node takes its own change over without reading the options again', async () => {
  const recorded = recordQueries(db);
  const { options } = await load(recorded.db);
  recorded.take();
  await options.set('RetryTimes', '9');
  expect(options.get('RetryTimes')).toBe(9);
  expect(recorded.take().filter(({ sql }) => sql.startsWith('select'))).toEqual([]);
});
