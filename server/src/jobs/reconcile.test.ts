import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconciliationSchema } from '@weir/contract/ledger';
import { Registry } from 'prom-client';
import * as v from 'valibot';
import { addCaller, holdFor, settleFor } from '../../test/database/accounts.ts';
import { buildTestApp, type TestApp } from '../../test/app/app.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
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

test('L4 abandoned holds are ended after an hour, of any node, and those of running calls stay', async () => {
  const metrics = new Registry();
  const logged: string[] = [];
  const log = { error: (_: object, message: string) => void logged.push(message) };
  const reconciler = createReconciler({ db, clock: { now: () => now * 1000 }, metrics, log });
  const caller = await addCaller(db, 1000, 1000);
  const holdAt = (requestId: string, openedAt: number) => db.post({ ...holdFor(caller, requestId, 100), openedAt });
  await holdAt('delivered', now - hour - 1);
  await db.post({ kind: 'progress', requestId: 'delivered', progress: 30 });
  await holdAt('silent', now - hour - 1);
  await db.write.updateTable('holds').set({ node: 'never came back' }).where('request_id', '=', 'silent').execute();
  await holdAt('running', now - hour);
  await reconciler.run();
  expect(reconciler.latest()).toMatchObject({ checked_at: now, ended_holds: 2, open_holds: 1, findings: [] });
  const left = await db.read.selectFrom('holds').select('request_id').execute();
  expect(left).toEqual([{ request_id: 'running' }]);
  const uses = await db.read.selectFrom('ledger').select(['op_key', 'amount']).where('kind', '=', 'use').execute();
  expect(uses).toEqual([{ op_key: 'use:delivered', amount: 30 }]);
  // A call that was taken for lost may still settle: nothing is charged a second time.
  expect(await db.post(settleFor(caller, 'delivered', 80))).toMatchObject({ outcome: 'repeated', charged: 30 });
  expect(await figure(metrics, 'weir_open_holds')).toBe(1);
  expect(await figure(metrics, 'weir_ledger_findings')).toBe(0);
  expect(logged).toEqual([]);
});

test('L1 drift is a figure, a finding and a line in the log', async () => {
  const metrics = new Registry();
  const logged: string[] = [];
  const log = { error: (_: object, message: string) => void logged.push(message) };
  const reconciler = createReconciler({ db, clock: { now: () => now * 1000 }, metrics, log });
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
