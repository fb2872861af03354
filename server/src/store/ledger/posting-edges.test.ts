import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaller, grantOf, holdFor, logFor, settleFor, type Caller } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { recovered } from './accounts-state.ts';
import type { CreditPosting, SettlePosting } from './postings.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const tokenOf = ({ tokenId }: Caller) =>
  db.read.selectFrom('tokens').select(['available', 'held', 'status']).where('id', '=', tokenId).executeTakeFirst();

test('M16 a hold takes the last unit of an account, and no more', async () => {
  const caller = await addCaller(db, 100);
  expect((await db.post(holdFor(caller, 'last', 100))).outcome).toBe('done');
  expect((await db.post(holdFor(caller, 'beyond', 1))).outcome).toBe('refused');
});

test('M16 a hold takes the last unit of a hard budget, and no more; a budget that is counted, or gone, refuses nothing', async () => {
  const addPeriod = (budgetId: number, granted: number) =>
    db.write
      .insertInto('budget_periods')
      .values({ budget_id: budgetId, starts_at: 0, ends_at: 1, granted, held: 0, used: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
  const [hard, counted] = [await addPeriod(1, 100), await addPeriod(2, 10)];
  const gone = hard.id + 1_000_000;
  const caller = { ...(await addCaller(db, 1000)), budgets: `${hard.id},~${counted.id},${gone}` };
  expect((await db.post(holdFor(caller, 'last of the budget', 100))).outcome).toBe('done');
  expect((await db.post(holdFor(caller, 'beyond the budget', 1))).outcome).toBe('refused');
  const periods = db.read.selectFrom('budget_periods').select(['held', 'used']);
  const named = periods.where('id', 'in', [hard.id, counted.id]);
  expect(await named.execute()).toEqual(Array(2).fill({ held: 100, used: 0 }));
  expect(await db.post(settleFor(caller, 'last of the budget', 90))).toMatchObject({ outcome: 'done', charged: 90 });
  expect(await named.execute()).toEqual(Array(2).fill({ held: 0, used: 90 }));
});

test('M16 a charge without a key costs its account alone; one of an account and a key that are gone is entered, and costs nothing', async () => {
  const caller = await addCaller(db, 100, 50);
  const keyless = await db.post({ ...settleFor(caller, 'keyless', 30), tokenId: 0 });
  expect(keyless).toMatchObject({ outcome: 'done', charged: 30, unrecovered: 0, user: { available: 70 } });
  expect(await tokenOf(caller)).toMatchObject({ available: 50 });
  const gone = { ...caller, userId: caller.userId + 1_000_000, tokenId: caller.tokenId + 1_000_000 };
  expect(await db.post(settleFor(gone, 'gone', 30))).toMatchObject({ outcome: 'done', charged: 0, unrecovered: 30 });
  const entries = db.read.selectFrom('ledger').select(['amount', 'unrecovered']).where('request_id', '=', 'gone');
  expect(await entries.execute()).toEqual([{ amount: 0, unrecovered: 30 }]);
});

test('M16 the entry of a charge says whether its tokens were estimated', async () => {
  const caller = await addCaller(db, 100);
  await db.post({ ...settleFor(caller, 'counted here', 10), estimated: true });
  await db.post({ ...settleFor(caller, 'reported', 10), estimated: false });
  const entries = db.read.selectFrom('ledger').select(['request_id', 'estimated']).where('user_id', '=', caller.userId);
  expect(await entries.where('kind', '=', 'use').orderBy('id').execute()).toEqual([
    { request_id: 'counted here', estimated: 1 },
    { request_id: 'reported', estimated: 0 },
  ]);
});

test('M16 a token with as much held as available is not exhausted', async () => {
  const caller = await addCaller(db, 100, 30);
  await db.post(holdFor(caller, 'half', 10));
  await db.post(settleFor(caller, 'other', 10));
  expect(await tokenOf(caller)).toEqual({ available: 10, held: 10, status: 1 });
});

test('M16 a settlement after its recovery pays the rest once, and a recovery after a settlement nothing', async () => {
  const caller = await addCaller(db, 1000);
  const atCheckpoint: SettlePosting = { ...settleFor(caller, 'late', 30), reason: recovered };
  expect(await db.post(atCheckpoint)).toMatchObject({ outcome: 'done', charged: 30 });
  expect(await db.post({ ...settleFor(caller, 'late', 100), log: null })).toMatchObject({ charged: 100 });
  expect(await db.post({ ...settleFor(caller, 'late', 100), log: null })).toMatchObject({ charged: 100 });
  expect(await db.post(atCheckpoint)).toMatchObject({ outcome: 'repeated', charged: 30, user: { used: 100 } });
  const less = await addCaller(db, 1000);
  await db.post({ ...settleFor(less, 'less', 30), reason: recovered });
  for (const amount of [20, 30]) {
    const settled = await db.post({ ...settleFor(less, 'less', amount), log: null });
    expect(settled).toMatchObject({ outcome: 'repeated', charged: 30, user: { used: 30 } });
  }
});

test('M16 what a recovery could not charge is not charged by the settlement that follows it, which adds what it cannot charge itself', async () => {
  const caller = await addCaller(db, 20);
  const atCheckpoint: SettlePosting = { ...settleFor(caller, 'poor', 30), reason: recovered };
  expect(await db.post(atCheckpoint)).toMatchObject({ charged: 20, unrecovered: 10 });
  const opKey = `later:${caller.userId}`;
  await db.post({ ...grantOf(100), opKey, userId: caller.userId });
  const settled = await db.post({ ...settleFor(caller, 'poor', 50), log: null });
  expect(settled).toMatchObject({ charged: 40, unrecovered: 10, user: { available: 80, used: 40 } });
  const spent = await addCaller(db, 40);
  await db.post({ ...settleFor(spent, 'spent', 30), reason: recovered });
  const rest = await db.post({ ...settleFor(spent, 'spent', 60), log: null });
  expect(rest).toMatchObject({ charged: 40, unrecovered: 20, user: { available: 0, used: 40 } });
});

test('M16 a remaining quota counts from the use that its editor saw', async () => {
  const caller = await addCaller(db, 1000, 100);
  await db.post(settleFor(caller, 'seen and not', 30));
  const allocation = { kind: 'allocate', unlimited: false, actorId: 0, at: 1, ...caller } as const;
  const opKey = `edited:${caller.tokenId}`;
  await db.post({ ...allocation, opKey, remain: 100, usedSeen: 10 });
  expect(await tokenOf(caller)).toMatchObject({ available: 80 });
  await db.post({ ...allocation, opKey: `${opKey}:unseen`, remain: 100 });
  expect(await tokenOf(caller)).toMatchObject({ available: 100 });
});

test('M16 rows of the log in one commit add up in their hour, and those of credits are in no hour', async () => {
  const caller = await addCaller(db, 1000);
  const credit: CreditPosting = {
    kind: 'credit',
    opKey: `noted:${caller.userId}`,
    entry: 'grant',
    userId: caller.userId,
    amount: 5,
    actorId: 0,
    reason: '',
    at: 7200,
    log: { ...logFor(caller, 'credit', 5), type: 1 },
  };
  const second = settleFor(caller, 'second', 20);
  await Promise.all([
    db.post(settleFor(caller, 'first', 10)),
    db.post(credit),
    db.post({ ...second, log: { ...logFor(caller, 'second', 20), cost: 3_000_000_001 } }),
    db.post({ ...settleFor(caller, 'third', 0), log: { ...logFor(caller, 'third', 0), cost: 7 } }),
    // It cost the operator nothing, which is known.
    db.post({ ...settleFor(caller, 'fourth', 5), log: { ...logFor(caller, 'fourth', 5), cost: 0 } }),
  ]);
  const sums = ['requests', 'quota', 'prompt_tokens', 'completion_tokens', 'cost', 'costed'] as const;
  const hours = await db.read.selectFrom('log_hours').select(sums).where('user_id', '=', caller.userId).execute();
  const rows = db.read.selectFrom('logs').select('type').where('user_id', '=', caller.userId).orderBy('type');
  expect((await rows.execute()).map(({ type }) => type)).toEqual([1, 2, 2, 2, 2]);
  const cost = { cost: 3_000_000_008, costed: 25 };
  expect(hours).toEqual([{ requests: 4, quota: 35, prompt_tokens: 12, completion_tokens: 16, ...cost }]);
});

test('M16 a code is worth nothing to an account that is gone, nor once deleted; its log row is written where it is used', async () => {
  const keyDigest = 'edge';
  const code = { name: 'code', key_digest: keyDigest, key_sealed: '', status: 1, quota: 70, user_id: 0 };
  const times = { created_time: 0, redeemed_time: 0, redeemed_user_id: 0, deleted_time: 0 };
  await db.write
    .insertInto('redemptions')
    .values({ ...code, ...times })
    .execute();
  const deleted = { ...code, key_digest: 'deleted', ...times, deleted_time: 1 };
  const free = { ...code, key_digest: 'free', quota: 0, ...times };
  await db.write.insertInto('redemptions').values([deleted, free]).execute();
  const caller = await addCaller(db, 0);
  const log = { ...logFor(caller, 'edge', 70), type: 1 };
  const redeem = { kind: 'redeem', keyDigest, at: 1, log } as const;
  const other = { ...redeem, userId: caller.userId, log: null };
  expect(await db.post({ ...other, keyDigest: 'deleted' })).toMatchObject({ outcome: 'refused', charged: 0 });
  expect(await db.post({ ...other, keyDigest: 'free' })).toMatchObject({ outcome: 'done', charged: 0 });
  expect((await db.post({ ...redeem, userId: 987_654 })).outcome).toBe('refused');
  expect(await db.post({ ...redeem, userId: caller.userId })).toMatchObject({ outcome: 'done', charged: 70 });
  const rows = await db.read.selectFrom('logs').select('quota').where('request_id', '=', 'edge').execute();
  expect(rows).toEqual([{ quota: 70 }]);
});

test('M16 a look has the balances of the account and of the token, each where it is named', async () => {
  const caller = await addCaller(db, 100, 40);
  const look = { kind: 'look', ...caller } as const;
  const user = { available: 100 };
  const token = { available: 40 };
  expect(await db.post(look)).toMatchObject({ outcome: 'done', user, token });
  expect(await db.post({ ...look, userId: 0 })).toEqual({
    outcome: 'done',
    charged: 0,
    unrecovered: 0,
    token: { available: 40, held: 0, used: 0 },
  });
});

test('M15 a code that no exact balance can hold is refused, and stays unused', async () => {
  const caller = await addCaller(db, 1);
  const code = {
    name: 'code',
    key_digest: 'large',
    key_sealed: '',
    status: 1,
    quota: Number.MAX_SAFE_INTEGER,
    user_id: 0,
  };
  const times = { created_time: 0, redeemed_time: 0, redeemed_user_id: 0, deleted_time: 0 };
  await db.write
    .insertInto('redemptions')
    .values({ ...code, ...times })
    .execute();
  const redeem = { kind: 'redeem', keyDigest: 'large', userId: caller.userId, at: 1, log: null } as const;
  expect((await db.post(redeem)).outcome).toBe('refused');
  const left = await db.read.selectFrom('redemptions').select('status').where('key_digest', '=', 'large').execute();
  expect(left).toEqual([{ status: 1 }]);
});

test('M15 credits whose sum would not be an exact integer are refused, also where they were spent', async () => {
  const caller = await addCaller(db, 2 ** 53 - 101);
  expect((await db.post(settleFor(caller, 'half is spent', 2 ** 52))).outcome).toBe('done');
  expect((await db.post(holdFor(caller, 'some is held', 50))).outcome).toBe('done');
  const credit = {
    kind: 'credit',
    entry: 'grant',
    userId: caller.userId,
    actorId: 0,
    reason: '',
    at: 1,
    log: null,
  } as const;
  expect((await db.post({ ...credit, opKey: 'one too many', amount: 101 })).outcome).toBe('refused');
  expect((await db.post({ ...credit, opKey: 'the last', amount: 100 })).outcome).toBe('done');
});
