import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaller, balanceOf, holdFor, settleFor, type Caller } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { usedQuota } from '../channels/used-quota.ts';
import { applyPostings } from './apply-postings.ts';
import type { AllocatePosting, CreditPosting } from './postings.ts';
import { verifyLedger } from './verify.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const userOf = (caller: Caller) => balanceOf(db, caller);
const tokenOf = ({ tokenId }: Caller) =>
  db.read
    .selectFrom('tokens')
    .select(['available', 'held', 'used', 'status', 'unlimited_quota'])
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow();
const entriesOf = ({ userId }: Caller) =>
  db.read.selectFrom('ledger').selectAll().where('user_id', '=', userId).orderBy('id').execute();

const credit = (userId: number, opKey: string, amount: number): CreditPosting => ({
  kind: 'credit',
  opKey,
  entry: 'adjust',
  userId,
  amount,
  actorId: 9,
  reason: 'why',
  at: 5,
  log: null,
});
const allocate = ({ userId, tokenId }: Caller, opKey: string, rest: Partial<AllocatePosting>): AllocatePosting => ({
  kind: 'allocate',
  opKey,
  userId,
  tokenId,
  unlimited: false,
  actorId: userId,
  at: 5,
  ...rest,
});

test('a charge notes time and address of the use with the token, also of a free call; an older or nameless one keeps them', async () => {
  const caller = await addCaller(db, 100, 50);
  const lastUse = () =>
    db.read.selectFrom('tokens').select(['accessed_time', 'last_address']).where('id', '=', caller.tokenId).execute();
  const use = (request: string, amount: number, at: number, address?: string) =>
    db.post({ ...settleFor(caller, request, amount), at, log: null, ...(address === undefined ? {} : { address }) });
  await use('lastuse1', 3, 7000, '10.0.0.1');
  expect(await lastUse()).toEqual([{ accessed_time: 7000, last_address: '10.0.0.1' }]);
  await use('lastuse2', 3, 6000, '10.0.0.2');
  await use('lastuse3', 3, 7010);
  expect(await lastUse()).toEqual([{ accessed_time: 7010, last_address: '10.0.0.1' }]);
  await use('lastuse4', 0, 7020, '10.0.0.1');
  expect(await lastUse()).toEqual([{ accessed_time: 7020, last_address: '10.0.0.1' }]);
  await use('lastuse5', 0, 7020, '2001:db8::1');
  expect(await lastUse()).toEqual([{ accessed_time: 7020, last_address: '2001:db8::1' }]);
});

test('a hold moves what is available to held on the account and the limited token', async () => {
  const caller = await addCaller(db, 100, 50);
  const result = await db.post(holdFor(caller, 'h1', 30));
  expect(result).toEqual({
    outcome: 'done',
    charged: 0,
    unrecovered: 0,
    user: { available: 70, held: 30, used: 0 },
    token: { available: 20, held: 30, used: 0 },
  });
  expect(await db.read.selectFrom('holds').selectAll().where('request_id', '=', 'h1').execute()).toMatchObject([
    { amount: 30, token_limited: 1, node: 'main', epoch: 1, progress: 0, model_name: 'model' },
  ]);
});

test('a hold beyond the account or beyond the limited token is refused and changes nothing', async () => {
  const poor = await addCaller(db, 10, 50);
  expect(await db.post(holdFor(poor, 'h2', 11))).toMatchObject({
    outcome: 'refused',
    user: { available: 10, held: 0 },
  });
  const capped = await addCaller(db, 100, 10);
  expect((await db.post(holdFor(capped, 'h3', 11))).outcome).toBe('refused');
  expect(await userOf(capped)).toMatchObject({ available: 100, held: 0 });
  expect((await db.post(holdFor({ ...capped, tokenId: 999_999 }, 'h4', 1))).outcome).toBe('refused');
});

test('an unlimited token holds on the account alone', async () => {
  const caller = await addCaller(db, 100);
  await db.post(holdFor(caller, 'h5', 30));
  expect(await userOf(caller)).toMatchObject({ available: 70, held: 30 });
  expect(await tokenOf(caller)).toMatchObject({ available: 0, held: 0 });
});

test('a settlement charges the hold, gives the rest back and writes ledger, log and hour', async () => {
  const caller = await addCaller(db, 100, 50);
  await db.post(holdFor(caller, 's1', 30));
  expect(await db.post(settleFor(caller, 's1', 20))).toEqual({
    outcome: 'done',
    charged: 20,
    unrecovered: 0,
    user: { available: 80, held: 0, used: 20 },
    token: { available: 30, held: 0, used: 20 },
  });
  expect(await userOf(caller)).toMatchObject({ request_count: 1 });
  expect((await entriesOf(caller)).at(-1)).toMatchObject({ op_key: 'use:s1', kind: 'use', amount: 20, unrecovered: 0 });
  const logs = await db.read.selectFrom('logs').selectAll().where('request_id', '=', 's1').execute();
  expect(logs).toMatchObject([{ quota: 20, user_id: caller.userId, token_name: 'token' }]);
  const hours = await db.read.selectFrom('log_hours').selectAll().where('user_id', '=', caller.userId).execute();
  expect(hours).toMatchObject([{ hour: 2, requests: 1, quota: 20, prompt_tokens: 3, completion_tokens: 4 }]);
  const channels = await db.read
    .selectFrom('channels')
    .select(usedQuota.as('used'))
    .where('id', '=', caller.channelId)
    .execute();
  expect(channels).toEqual([{ used: 20 }]);
  expect(await db.read.selectFrom('holds').where('request_id', '=', 's1').selectAll().execute()).toEqual([]);
});

test('a settlement without a hold charges what is available', async () => {
  const caller = await addCaller(db, 100);
  expect(await db.post(settleFor(caller, 's2', 20))).toMatchObject({ charged: 20, user: { available: 80, used: 20 } });
});

test('a settlement beyond hold and balance leaves the rest unrecovered, never a negative balance', async () => {
  const caller = await addCaller(db, 50, 100);
  await db.post(holdFor(caller, 's3', 30));
  expect(await db.post(settleFor(caller, 's3', 70))).toMatchObject({
    charged: 50,
    unrecovered: 20,
    user: { available: 0, held: 0, used: 50 },
    token: { available: 50, held: 0, used: 50 },
  });
  expect((await entriesOf(caller)).at(-1)).toMatchObject({ amount: 50, unrecovered: 20 });
  const logs = await db.read.selectFrom('logs').select('quota').where('request_id', '=', 's3').execute();
  expect(logs).toEqual([{ quota: 50 }]);
});

test('M1 L2 a settlement beyond its key is paid by the account; the key goes to zero and is allocated the rest', async () => {
  const caller = await addCaller(db, 100, 50);
  await db.post(holdFor(caller, 's4', 30));
  expect(await db.post(settleFor(caller, 's4', 70))).toMatchObject({
    charged: 70,
    unrecovered: 0,
    user: { available: 30, held: 0, used: 70 },
    token: { available: 0, held: 0, used: 70 },
  });
  expect(await tokenOf(caller)).toMatchObject({ status: 4 });
  expect((await entriesOf(caller)).slice(-2)).toMatchObject([
    { op_key: 'allocate:use:s4', kind: 'allocate', amount: 20, token_id: caller.tokenId, reason: 'overdrawn' },
    { op_key: 'use:s4', kind: 'use', amount: 70 },
  ]);
  expect((await db.post(settleFor(caller, 's4', 70))).outcome).toBe('repeated');
  expect((await verifyLedger(db)).findings).toEqual([]);
});

test('M1 whatever a key is set to during its calls, their durable holds are collected in full', async () => {
  const limited = { remain: 0, unlimited: false };
  const edits: readonly Partial<AllocatePosting>[] = [limited, { total: 0 }, { remain: 3 }, { unlimited: true }];
  for (const [index, edit] of edits.entries()) {
    for (const allocation of [undefined, 100]) {
      const caller = await addCaller(db, 100, allocation);
      const ids = [`m1-${index}-${allocation}-a`, `m1-${index}-${allocation}-b`] as const;
      for (const id of ids) await db.post(holdFor(caller, id, 50));
      await db.post(allocate(caller, `m1-${index}-${allocation}`, edit));
      for (const id of ids)
        expect(await db.post(settleFor(caller, id, 50))).toMatchObject({ charged: 50, unrecovered: 0 });
      expect(await userOf(caller)).toMatchObject({ available: 0, held: 0, used: 100 });
      expect(await tokenOf(caller)).toMatchObject({ held: 0, used: 100 });
    }
  }
  expect((await verifyLedger(db)).findings).toEqual([]);
});

test('a token whose last unit is settled turns exhausted, not before', async () => {
  const caller = await addCaller(db, 100, 50);
  await db.post(holdFor(caller, 'x1', 40));
  await db.post(holdFor(caller, 'x2', 10));
  await db.post(settleFor(caller, 'x1', 40));
  expect(await tokenOf(caller)).toMatchObject({ available: 0, held: 10, status: 1 });
  await db.post(settleFor(caller, 'x2', 10));
  expect(await tokenOf(caller)).toMatchObject({ available: 0, held: 0, status: 4 });
});

test('a settlement that is repeated charges nothing and returns what the first one charged', async () => {
  const caller = await addCaller(db, 100);
  await db.post(holdFor(caller, 'r1', 30));
  await db.post(settleFor(caller, 'r1', 20));
  expect(await db.post(settleFor(caller, 'r1', 25))).toMatchObject({ outcome: 'repeated', charged: 20 });
  expect(await userOf(caller)).toEqual({ available: 80, held: 0, used: 20, request_count: 1 });
  expect((await entriesOf(caller)).length).toBe(2);
  const logs = await db.read.selectFrom('logs').selectAll().where('request_id', '=', 'r1').execute();
  expect(logs.length).toBe(1);
});

test('a repeated settlement in one commit with others does not touch the others', async () => {
  const caller = await addCaller(db, 100);
  await db.post(settleFor(caller, 'r2', 10));
  const results = await Promise.all([
    db.post(settleFor(caller, 'r3', 10)),
    db.post(settleFor(caller, 'r2', 10)),
    db.post(settleFor(caller, 'r3', 10)),
    db.post(settleFor(caller, 'r4', 10)),
  ]);
  expect(results.map((result) => result.outcome)).toEqual(['done', 'repeated', 'repeated', 'done']);
  expect(await userOf(caller)).toMatchObject({ available: 70, used: 30, request_count: 3 });
});

test('a hold for a request that was settled is a repetition and holds nothing', async () => {
  const caller = await addCaller(db, 100);
  await db.post(settleFor(caller, 'r5', 10));
  expect((await db.post(holdFor(caller, 'r5', 10))).outcome).toBe('repeated');
  await db.post(holdFor(caller, 'r6', 10));
  expect((await db.post(holdFor(caller, 'r6', 10))).outcome).toBe('repeated');
  expect(await userOf(caller)).toMatchObject({ available: 80, held: 10 });
});

test('a release gives the hold back; without a hold it does nothing', async () => {
  const caller = await addCaller(db, 100, 50);
  await db.post(holdFor(caller, 'l1', 30));
  const release = { kind: 'release', ...caller, requestId: 'l1' } as const;
  expect(await db.post(release)).toMatchObject({ outcome: 'done', user: { available: 100, held: 0 } });
  expect(await tokenOf(caller)).toMatchObject({ available: 50, held: 0 });
  expect((await db.post(release)).outcome).toBe('repeated');
});

test('M5 an extension raises an open hold to its amount, once, within the balance', async () => {
  const caller = await addCaller(db, 100, 50);
  await db.post(holdFor(caller, 'e1', 30));
  const extend = { kind: 'extend', ...caller, requestId: 'e1' } as const;
  expect(await db.post({ ...extend, amount: 50 })).toMatchObject({
    outcome: 'done',
    token: { available: 0, held: 50 },
  });
  expect((await db.post({ ...extend, amount: 51 })).outcome).toBe('refused');
  expect(await db.post({ ...extend, amount: 50 })).toMatchObject({ outcome: 'repeated', token: { held: 50 } });
  expect((await db.post({ ...extend, requestId: 'none', amount: 1 })).outcome).toBe('refused');
  await db.post({ kind: 'release', ...caller, requestId: 'e1' });
  expect(await userOf(caller)).toMatchObject({ available: 100, held: 0 });
});

test('progress only rises', async () => {
  const caller = await addCaller(db, 100);
  await db.post(holdFor(caller, 'p1', 30));
  await db.post({ kind: 'progress', requestId: 'p1', progress: 9 });
  await db.post({ kind: 'progress', requestId: 'p1', progress: 4 });
  const holds = await db.read.selectFrom('holds').select('progress').where('request_id', '=', 'p1').execute();
  expect(holds).toEqual([{ progress: 9 }]);
  expect((await db.post({ kind: 'progress', requestId: 'none', progress: 4 })).outcome).toBe('repeated');
});

test('a credit counts once per operation key', async () => {
  const caller = await addCaller(db, 100);
  expect(await db.post(credit(caller.userId, 'c1', 50))).toMatchObject({ outcome: 'done', charged: 50 });
  expect(await db.post(credit(caller.userId, 'c1', 50))).toMatchObject({ outcome: 'repeated', charged: 50 });
  expect(await userOf(caller)).toMatchObject({ available: 150 });
});

test('a debit beyond what is available is refused', async () => {
  const caller = await addCaller(db, 100);
  await db.post(holdFor(caller, 'd1', 60));
  expect((await db.post(credit(caller.userId, 'c2', -41))).outcome).toBe('refused');
  expect((await db.post(credit(caller.userId, 'c3', -40))).outcome).toBe('done');
  expect(await userOf(caller)).toMatchObject({ available: 0, held: 60 });
});

test('a credit beyond exact integers is refused, an inexact one never reaches the database', async () => {
  const caller = await addCaller(db, 100);
  expect((await db.post(credit(caller.userId, 'c4', Number.MAX_SAFE_INTEGER))).outcome).toBe('refused');
  await expect(db.post(credit(caller.userId, 'c5', 2 ** 53))).rejects.toThrow('quota units');
  await expect(db.post(holdFor(caller, 'f1', 0.5))).rejects.toThrow('quota units');
  await expect(db.post(holdFor(caller, 'f2', -1))).rejects.toThrow('quota units');
});

test('an allocation sets what is left, counting what was spent since the form was loaded', async () => {
  const caller = await addCaller(db, 1000, 100);
  await db.post(settleFor(caller, 'a1', 30));
  await db.post(holdFor(caller, 'a2', 20));
  // The form was loaded before the settlement: 100 left, 0 used; the user typed 200.
  await db.post(allocate(caller, 'alloc1', { remain: 200, usedSeen: 0 }));
  expect(await tokenOf(caller)).toMatchObject({ available: 150, held: 20, used: 30 });
  // Without the echo the number is used unchanged.
  await db.post(allocate(caller, 'alloc2', { remain: 40 }));
  expect(await tokenOf(caller)).toMatchObject({ available: 20, held: 20, used: 30 });
  await db.post(allocate(caller, 'alloc3', { remain: 5 }));
  expect(await tokenOf(caller)).toMatchObject({ available: 0, held: 20, used: 30 });
  await db.post(allocate(caller, 'alloc4', { total: 90 }));
  expect(await tokenOf(caller)).toMatchObject({ available: 40, held: 20, used: 30 });
  const sums = (await entriesOf(caller)).filter((entry) => entry.kind === 'allocate').map((entry) => entry.amount);
  expect(sums).toEqual([100, 100, -130, -20, 40]);
});

test('a token that was unlimited for a while is allocated what it holds and used', async () => {
  const caller = await addCaller(db, 1000, 100);
  await db.post(allocate(caller, 'u1', { unlimited: true }));
  await db.post(settleFor({ ...caller, tokenLimited: false }, 'u2', 300));
  expect(await tokenOf(caller)).toMatchObject({ available: 100, used: 300, unlimited_quota: 1, status: 1 });
  await db.post(allocate(caller, 'u3', { remain: 50 }));
  expect(await tokenOf(caller)).toMatchObject({ available: 50, used: 300, unlimited_quota: 0 });
  const sum = (await entriesOf(caller))
    .filter((entry) => entry.kind === 'allocate')
    .reduce((total, entry) => total + entry.amount, 0);
  expect(sum).toBe(350);
});

test("an allocation of another user's token is refused", async () => {
  const caller = await addCaller(db, 10, 10);
  const other = await addCaller(db, 10, 10);
  const posting = allocate({ ...caller, tokenId: other.tokenId }, 'steal', { remain: 99 });
  expect((await db.post(posting)).outcome).toBe('refused');
});

const addCode = async (quota: number) => {
  const digest = `code${Math.random()}`;
  const row = {
    user_id: 1,
    key_digest: digest,
    key_sealed: '',
    status: 1,
    name: '',
    quota,
    created_time: 0,
    redeemed_time: 0,
    redeemed_user_id: 0,
    deleted_time: 0,
  };
  await db.write.insertInto('redemptions').values(row).execute();
  return digest;
};

test('a code credits once, for any users and however often', async () => {
  const callers = await Promise.all(Array.from({ length: 8 }, () => addCaller(db, 0)));
  const keyDigest = await addCode(500);
  const results = await Promise.all(
    callers.flatMap(({ userId }) => [
      db.post({ kind: 'redeem', keyDigest, userId, at: 5, log: null }),
      db.post({ kind: 'redeem', keyDigest, userId, at: 5, log: null }),
    ]),
  );
  expect(results.filter((result) => result.outcome === 'done').map((result) => result.charged)).toEqual([500]);
  const users = await Promise.all(callers.map(userOf));
  expect(users.reduce((sum, user) => sum + user.available, 0)).toBe(500);
  expect((await db.post({ kind: 'redeem', keyDigest: 'none', userId: 1, at: 5, log: null })).outcome).toBe('refused');
});

test('1,000 parallel holds on a balance for ten: exactly ten are made', async () => {
  const caller = await addCaller(db, 105, 105);
  const results = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => db.post(holdFor(caller, `m${index}`, 10))),
  );
  expect(results.filter((result) => result.outcome === 'done').length).toBe(10);
  expect(results.filter((result) => result.outcome === 'refused').length).toBe(990);
  expect(await userOf(caller)).toMatchObject({ available: 5, held: 100 });
  expect(await tokenOf(caller)).toMatchObject({ available: 5, held: 100 });
});

test('postings in an interactive transaction are undone with it', async () => {
  const caller = await addCaller(db, 100);
  const failing = db.write.transaction().execute(async (trx) => {
    const [result] = await applyPostings(trx, [credit(caller.userId, 'trx1', 50)]);
    expect(result).toMatchObject({ outcome: 'done', user: { available: 150 } });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await userOf(caller)).toMatchObject({ available: 100 });
  await db.write.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ display_name: 'rich' }).where('id', '=', caller.userId).execute();
    await applyPostings(trx, [credit(caller.userId, 'trx1', 50), credit(caller.userId, 'trx1', 50)]);
  });
  expect(await userOf(caller)).toMatchObject({ available: 150 });
});
