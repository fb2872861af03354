import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconciliationSchema } from '@weir/contract/ledger';
import { Registry } from 'prom-client';
import * as v from 'valibot';
import { addCaller, holdFor, settleFor } from '../../test/database/accounts.ts';
import { buildTestApp, type TestApp } from '../../test/app/app.ts';
import {
  createTestStorage,
  openTestDatabase,
  testDatabaseKind,
  type TestDatabase,
} from '../../test/database/database.ts';
import type { Change } from '../store/nodes/changes.ts';
import type { Database } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { createReconciler } from './reconcile.ts';

let db: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  db = await openTestDatabase();
  app = await buildTestApp();
});
afterAll(async () => {
  await db.close();
  await app.close();
});

const hour = 3600;
const now = 100 * hour;
const figure = async (registry: Registry, name: string): Promise<number | undefined> => {
  const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
};

const reconcilerOn = (database: Database, leftHolds = new Set<string>(), absentMs = 0, at = () => now) => {
  const metrics = new Registry();
  const logged: string[] = [];
  const log = { error: (_: object, message: string) => void logged.push(message) };
  const clock = { now: () => at() * 1000 };
  const published: Change[] = [];
  const changes = { publish: (change: Change) => void published.push(change) };
  const reconciler = createReconciler({ db: database, changes, clock, metrics, log, leftHolds, absentMs });
  return { ...reconciler, metrics, logged, published };
};
const openIds = async () =>
  (await db.read.selectFrom('holds').select('request_id').orderBy('request_id').execute()).map((row) => row.request_id);

test('M2 L4 holds of running calls stay however old they are, and those of processes that ended are ended', async () => {
  const leftHolds = new Set(['given up']);
  const reconciler = reconcilerOn(db, leftHolds);
  const caller = await addCaller(db, 1000, 1000);
  const holdAt = (requestId: string, openedAt: number) => db.post({ ...holdFor(caller, requestId, 100), openedAt });
  const elsewhere = (requestId: string, values: { node?: string; epoch?: number }) =>
    db.write.updateTable('holds').set(values).where('request_id', '=', requestId).execute();
  await holdAt('delivered', now - 1);
  await db.post({ kind: 'progress', requestId: 'delivered', progress: 30 });
  await elsewhere('delivered', { node: 'never came back' });
  await holdAt('earlier', now + hour);
  await elsewhere('earlier', { epoch: 0 });
  await holdAt('given up', now);
  await holdAt('running', now - 10 * hour);
  await reconciler.run();
  expect(reconciler.latest()).toMatchObject({ checked_at: now, ended_holds: 3, open_holds: 1, findings: [] });
  expect(await openIds()).toEqual(['running']);
  expect(leftHolds.size).toBe(0);
  // Balances in memory are read anew: the quota is free.
  expect(reconciler.published).toEqual([
    { topic: 'user', id: caller.userId },
    { topic: 'token', id: caller.tokenId },
  ]);
  const uses = await db.read.selectFrom('ledger').select(['op_key', 'amount']).where('kind', '=', 'use').execute();
  expect(uses).toEqual([{ op_key: 'use:delivered', amount: 30 }]);
  expect(await figure(reconciler.metrics, 'weir_open_holds')).toBe(1);
  expect(await figure(reconciler.metrics, 'weir_ledger_findings')).toBe(0);
  expect(reconciler.logged).toEqual([]);
  // Not before its settlements were given up.
  await elsewhere('running', { node: 'away for a moment' });
  await reconcilerOn(db, new Set(), 60_000).run();
  expect(await openIds()).toEqual(['running']);
  await reconcilerOn(db).run();
  expect(await openIds()).toEqual([]);
});

if (testDatabaseKind === 'postgres') {
  test('M8 of two nodes one compares and the other shows its result; when it falls silent, the other compares', async () => {
    const place = await createTestStorage();
    const theirs = await openDatabase({ dataDir: place.dataDir, databaseUrl: db.databaseUrl, nodeName: 'second' });
    let later = 0;
    const compared = { first: 0, second: 0 };
    const counting = (database: Database, name: keyof typeof compared): Database => ({
      ...database,
      snapshot: (run) => {
        compared[name] += 1;
        return database.snapshot(run);
      },
    });
    const first = reconcilerOn(counting(db, 'first'), new Set(), 0, () => now + later);
    const second = reconcilerOn(counting(theirs, 'second'), new Set(), 0, () => now + later);
    const { userId } = await addCaller(db, 1000);
    await db.write.updateTable('users').set({ available: 1007 }).where('id', '=', userId).execute();
    for (later = 0; later < 600; later += 60) {
      await first.round();
      await second.round();
    }
    expect(compared).toEqual({ first: 10, second: 0 });
    const drift = { rule: 'L1', subject: `user ${userId}`, expected: 1000, found: 1007 };
    expect(second.latest()).toMatchObject({ checked_at: now + 540, findings: [drift] });
    expect(await figure(second.metrics, 'weir_ledger_findings')).toBe(1);
    expect(second.logged).toEqual([]);
    await db.write.updateTable('users').set({ available: 1000 }).where('id', '=', userId).execute();
    for (later = 600; later < 900; later += 60) await second.round();
    expect(compared.second).toBeGreaterThan(0);
    expect(second.latest().findings).toEqual([]);
    // It keeps the work now, and the first one shows what it finds.
    await first.round();
    expect(compared.first).toBe(10);
    await theirs.close();
    await place.remove();
  });

  test('M2 L4 holds of another node stay while it is connected, and are ended once it is not', async () => {
    const place = await createTestStorage();
    const other = await openDatabase({ dataDir: place.dataDir, databaseUrl: db.databaseUrl, nodeName: 'other' });
    const caller = await addCaller(db, 1000, 1000);
    await other.post(holdFor(caller, 'theirs', 100));
    await reconcilerOn(db).run();
    expect(await openIds()).toEqual(['theirs']);
    await other.close();
    const reconciler = reconcilerOn(db);
    await expect
      .poll(async () => {
        await reconciler.run();
        return openIds();
      })
      .toEqual([]);
    await place.remove();
  });
}

test('M7 a hold that its account cannot end is a finding, and keeps no other from its end nor the gateway from its start', async () => {
  const place = await createTestStorage();
  const before = await openDatabase(place);
  const [broken, sound] = [await addCaller(before, 1000), await addCaller(before, 1000)];
  for (const [caller, id] of [
    [broken, 'broken'],
    [sound, 'sound'],
  ] as const) {
    await before.post(holdFor(caller, id, 100));
    await before.post({ kind: 'progress', requestId: id, progress: 30 });
  }
  await before.write.updateTable('users').set({ held: 0 }).where('id', '=', broken.userId).execute();
  await before.close();
  const after = await openDatabase(place);
  const left = await after.read.selectFrom('holds').select('request_id').execute();
  expect(left).toEqual([{ request_id: 'broken' }]);
  const reconciler = reconcilerOn(after);
  await reconciler.run();
  const subjects = reconciler.latest().findings.map(({ rule, subject }) => `${rule} ${subject}`);
  expect(subjects).toContain(`L4 user ${broken.userId}, whose hold of request broken cannot be ended`);
  expect(subjects).toContain(`L1 user ${broken.userId}`);
  expect(subjects.join()).not.toContain(`user ${sound.userId}`);
  expect(await figure(reconciler.metrics, 'weir_ledger_findings')).toBe(subjects.length);
  expect(await figure(reconciler.metrics, 'weir_ledger_comparison_failed')).toBe(0);
  expect((await after.post(settleFor(sound, 'next', 10))).charged).toBe(10);
  await after.close();
  await place.remove();
});

test('M7 a comparison that does not complete is a figure', async () => {
  const reconciler = reconcilerOn({ ...db, snapshot: () => Promise.reject(new Error('no connection')) });
  await expect(reconciler.run()).rejects.toThrow('no connection');
  expect(await figure(reconciler.metrics, 'weir_ledger_comparison_failed')).toBe(1);
});

test('L1 drift is a figure, a finding and a line in the log', async () => {
  const reconciler = reconcilerOn(db);
  const { metrics, logged } = reconciler;
  const { userId } = await addCaller(db, 1000);
  await db.write.updateTable('users').set({ available: 1007 }).where('id', '=', userId).execute();
  await reconciler.run();
  expect(reconciler.latest().findings).toEqual([
    { rule: 'L1', subject: `user ${userId}`, expected: 1000, found: 1007 },
  ]);
  expect(await figure(metrics, 'weir_ledger_findings')).toBe(1);
  expect(logged).toEqual(['the ledger does not match the balances']);
  await db.write.updateTable('users').set({ available: 1000 }).where('id', '=', userId).execute();
  await reconciler.run();
  expect(await figure(metrics, 'weir_ledger_findings')).toBe(0);
});

test('the gateway reconciles by itself, and reports to administrators and the metrics', async () => {
  const root = await app.root();
  const read = async () => v.parse(reconciliationSchema, await root.data('GET', '/api/ledger/reconciliation'));
  await expect.poll(async () => (await read()).checked_at, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await read()).toMatchObject({ findings: [], open_holds: 0, unrecovered: 0 });
  const { text } = await app.visitor().call('GET', '/metrics');
  expect(text).toMatch(/^weir_ledger_findings 0$/m);
});
