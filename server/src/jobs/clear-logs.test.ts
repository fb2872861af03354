import { expect, test } from 'vitest';
import { addCaller, type Caller } from '../../test/database/accounts.ts';
import {
  createTestStorage,
  openTestDatabase,
  testDatabaseKind,
  type TestDatabase,
} from '../../test/database/database.ts';
import { addNote, addUse } from '../../test/database/logs.ts';
import { claimLogClearing } from '../store/logs/log-clearing.ts';
import { openDatabase } from '../store/open-database.ts';
import { everything } from '../store/logs/log-filter.ts';
import { listLogs, sumLogs } from '../store/logs/logs.ts';
import { createLogClearing } from './clear-logs.ts';
import { retainLogs } from './retain-logs.ts';

const hour = 3600;
const begin = 480_000 * hour;

const prepare = async (stack: AsyncDisposableStack) => {
  const db = await openTestDatabase();
  stack.defer(db.close);
  const caller = await addCaller(db, 1_000_000);
  const errors: unknown[] = [];
  const make = (patience?: number) =>
    createLogClearing({
      db,
      onError: (error) => errors.push(error),
      ...(patience === undefined ? {} : { patience }),
    });
  return { db, caller, errors, make };
};

/** `count` records, ten minutes apart, of 7 quota units each; every tenth is no consumption. */
const fill = async (db: TestDatabase, caller: Caller, count: number): Promise<void> => {
  const add = (index: number) => {
    const created_at = begin + index * 600;
    return index % 10 === 9
      ? addNote(db, { created_at, type: 3, user_id: caller.userId })
      : addUse(db, caller, {
          created_at,
          quota: 7,
          prompt_tokens: 2,
          model_name: `model${index % 3}`,
          token_name: 'ci',
          cost: (index % 4) - 1,
        });
  };
  // More at once would wait longer for a connection than a query may on a slow machine.
  for (let first = 0; first < count; first += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - first) }, (_, index) => add(first + index)));
  }
};

/** The expected totals: the rows themselves, summed. */
const sumOfRows = async (db: TestDatabase, userId: number) => {
  const rows = await db.read.selectFrom('logs').selectAll().where('user_id', '=', userId).execute();
  const consumed = rows.filter(({ type }) => type === 2);
  return {
    rows: rows.length,
    quota: consumed.reduce((sum, { quota }) => sum + quota, 0),
    tokens: consumed.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
    cost: consumed.reduce((sum, { cost }) => sum + Math.max(0, cost), 0),
    costed: consumed.reduce((sum, { cost, quota }) => sum + (cost < 0 ? 0 : quota), 0),
  };
};

test('O9 retention clears what is older than its days, with its share of the totals, and neither balances nor ledger', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, caller, make } = await prepare(stack);
  await fill(db, caller, 100);
  const ledger = () => db.read.selectFrom('ledger').selectAll().orderBy('id').execute();
  const account = () => db.read.selectFrom('users').selectAll().where('id', '=', caller.userId).execute();
  const [entriesBefore, accountBefore] = [await ledger(), await account()];
  const logClearing = make();
  const lines: object[] = [];
  const log = { info: (fields: object) => lines.push(fields) };
  const retain = async (days: number): Promise<number> => {
    const clock = { now: () => (begin + 33 * 600 + 2 * 86_400) * 1000 };
    await retainLogs({ logClearing, clock, log, keptDays: () => days, archives: false, db });
    return (await sumOfRows(db, caller.userId)).rows;
  };
  expect(await retain(0)).toBe(100);
  expect(await retain(3)).toBe(100);
  expect(await retain(2)).toBe(67);
  expect(lines).toEqual([{ days: 2, rows: 33, done: true }]);
  const left = await sumOfRows(db, caller.userId);
  const { quota, tokens } = left;
  expect(await sumLogs(db, { ...everything, userId: caller.userId })).toEqual({ quota, tokens });
  expect(await ledger()).toEqual(entriesBefore);
  expect(await account()).toEqual(accountBefore);
  // While another clearing runs it leaves the work to it.
  const running = logClearing.clear(begin + 40 * 600);
  await retain(1);
  expect(lines).toHaveLength(1);
  await running;
});

test('SET-09 clearing takes what is older than the moment, whole hours and part of one, and its share of the totals', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, caller, make } = await prepare(stack);
  await fill(db, caller, 100);
  const before = begin + 33 * 600;
  expect(await make().clear(before)).toEqual({ count: 33, done: true });

  const left = await sumOfRows(db, caller.userId);
  expect(left.rows).toBe(67);
  expect(await sumLogs(db, { ...everything, userId: caller.userId })).toEqual({
    quota: left.quota,
    tokens: left.tokens,
  });
  expect(await sumLogs(db, { ...everything, end: before - 1 })).toEqual({ quota: 0, tokens: 0 });
  const hours = await db.read.selectFrom('log_hours').selectAll().execute();
  expect(hours.filter((row) => row.requests <= 0)).toEqual([]);
  expect(hours.reduce((sum, row) => sum + row.requests, 0)).toBe(left.quota / 7);
  expect([hours.reduce((sum, { cost }) => sum + cost, 0), hours.reduce((sum, { costed }) => sum + costed, 0)]).toEqual([
    left.cost,
    left.costed,
  ]);
  const [last] = (
    await listLogs(db, { filter: { ...everything, modelName: 'model0', end: before + hour }, page: 0, reader: 1 })
  ).slice(-1);
  expect(last?.created_at).toBeGreaterThanOrEqual(before);
  expect(await make().clear(before)).toEqual({ count: 0, done: true });
});

test('SET-09 clearing changes no balance and no ledger entry', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, caller, make } = await prepare(stack);
  await fill(db, caller, 20);
  const balances = () =>
    Promise.all([
      db.read.selectFrom('users').selectAll().orderBy('id').execute(),
      db.read.selectFrom('tokens').selectAll().orderBy('id').execute(),
      db.read.selectFrom('ledger').selectAll().orderBy('id').execute(),
    ]);
  const before = await balances();
  expect((await make().clear(Number.MAX_SAFE_INTEGER)).count).toBe(20);
  expect(await balances()).toEqual(before);
  expect(await db.read.selectFrom('log_hours').selectAll().execute()).toEqual([]);
});

test('SET-09 requests that settle while several thousand rows are cleared are all logged and summed', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, caller, errors, make } = await prepare(stack);
  await fill(db, caller, 3500);
  const before = begin + 3400 * 600;
  const clearing = make().clear(before);
  // Some of them belong to the very hours that are being cleared away.
  const late = Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      addUse(db, caller, { created_at: before - 100 + index, quota: 7, model_name: 'model1', token_name: 'ci' }),
    ),
  );
  expect(await clearing).toMatchObject({ done: true });
  await late;
  const left = await sumOfRows(db, caller.userId);
  expect(left.rows).toBeGreaterThanOrEqual(200);
  expect(await sumLogs(db, everything)).toEqual({ quota: left.quota, tokens: left.tokens });
  expect(errors).toEqual([]);
});

test('SET-09 M15 two clearings do not run at once, whatever the clocks say; the claim of a process that ended is free', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, caller, make } = await prepare(stack);
  await fill(db, caller, 2500);
  const clearing = make();
  const [one, other] = await Promise.allSettled([clearing.clear(begin * 2), clearing.clear(begin * 2)]);
  const failed = [one, other].filter((result) => result.status === 'rejected');
  expect(failed).toHaveLength(1);
  expect(failed[0]).toMatchObject({ reason: { code: 'log_clearing_runs' } });
  expect(await clearing.clear(begin * 2)).toEqual({ count: 0, done: true });

  // Of an earlier start of this node, and as earlier versions wrote it.
  for (const value of ['0 main', '1790000000', '9999999999']) {
    await db.write.updateTable('instance').set({ value }).where('key', '=', 'log_clearing').execute();
    expect(await clearing.clear(begin)).toEqual({ count: 0, done: true });
  }
});

if (testDatabaseKind === 'postgres') {
  test('SET-09 M15 while another node clears none begins, and once it has ended one may', async () => {
    await using stack = new AsyncDisposableStack();
    const { db, make } = await prepare(stack);
    const place = await createTestStorage();
    stack.defer(place.remove);
    const other = await openDatabase({ dataDir: place.dataDir, databaseUrl: db.databaseUrl, nodeName: 'other' });
    expect(await claimLogClearing(other)).toBe(true);
    await expect(make().clear(begin)).rejects.toMatchObject({ code: 'log_clearing_runs' });
    await other.close();
    await expect.poll(() => claimLogClearing(db)).toBe(true);
  });
}

test('SET-09 where clearing takes long the answer has the number so far, and the rest follows', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, caller, errors, make } = await prepare(stack);
  await fill(db, caller, 2500);
  const clearing = make(0);
  const first = await clearing.clear(begin * 2);
  expect(first.done).toBe(false);
  expect(first.count).toBeLessThan(2500);
  await expect.poll(() => db.read.selectFrom('logs').selectAll().execute(), { timeout: 60_000 }).toEqual([]);
  await clearing.close();
  expect(errors).toEqual([]);
});
