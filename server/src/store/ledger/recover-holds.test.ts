import { expect, test } from 'vitest';
import { addCaller, holdFor, settleFor } from '../../../test/database/accounts.ts';
import { createTestStorage, openTestDatabase } from '../../../test/database/database.ts';
import { AppError } from '../../errors.ts';
import { openDatabase } from '../open-database.ts';
import { endAbandonedHolds } from './recover-holds.ts';
import { verifyLedger } from './verify.ts';

test('holds of a dead process are charged for what was delivered, or given back', async () => {
  const storage = await createTestStorage();
  const first = await openDatabase(storage);
  const caller = await addCaller(first, 1000, 500);
  await first.post(holdFor(caller, 'delivered', 100));
  await first.post({ kind: 'progress', requestId: 'delivered', progress: 30 });
  await first.post(holdFor(caller, 'silent', 100));
  await first.post(holdFor(caller, 'beyond', 100));
  await first.post({ kind: 'progress', requestId: 'beyond', progress: 150 });
  await first.close();

  const second = await openDatabase(storage);
  expect(await second.read.selectFrom('holds').selectAll().execute()).toEqual([]);
  const entries = await second.read
    .selectFrom('ledger')
    .select(['op_key', 'amount', 'estimated', 'reason'])
    .where('kind', '=', 'use')
    .orderBy('op_key')
    .execute();
  expect(entries).toEqual([
    { op_key: 'use:beyond', amount: 150, estimated: 1, reason: 'recovered' },
    { op_key: 'use:delivered', amount: 30, estimated: 1, reason: 'recovered' },
  ]);
  const user = second.read
    .selectFrom('users')
    .select(['available', 'held', 'used', 'username'])
    .where('id', '=', caller.userId);
  expect(await user.executeTakeFirst()).toMatchObject({ available: 820, held: 0, used: 180 });
  const logs = await second.read.selectFrom('logs').selectAll().orderBy('request_id').execute();
  const { username } = await user.executeTakeFirstOrThrow();
  expect(logs).toMatchObject([
    { request_id: 'beyond', quota: 150, username, token_name: 'token', model_name: 'model', type: 2 },
    { request_id: 'delivered', quota: 30 },
  ]);
  // The calls lasted until now.
  const { openedAt } = holdFor(caller, 'beyond', 100);
  expect(logs.map((row) => row.created_at - row.elapsed_time / 1000)).toEqual([openedAt, openedAt]);
  expect((await second.post(settleFor(caller, 'beyond', 150))).outcome).toBe('repeated');
  expect((await verifyLedger(second)).findings).toEqual([]);
  await second.close();
  await storage.remove();
});

test('M2 a settlement that finds its hold recovered charges the difference, once', async () => {
  const place = await createTestStorage();
  const db = await openDatabase(place);
  const caller = await addCaller(db, 1000, 500);
  const recoverAt = async (requestId: string, progress: number) => {
    await db.post(holdFor(caller, requestId, 100));
    await db.post({ kind: 'progress', requestId, progress });
    return endAbandonedHolds({ read: db.read, post: db.post, now: 1, processes: [], requests: [requestId] });
  };
  expect(await recoverAt('early', 30)).toMatchObject({ ended: [{ user_id: caller.userId }], stuck: [] });
  await recoverAt('silent', 0);
  await recoverAt('exact', 80);
  expect(await db.post(settleFor(caller, 'early', 80))).toMatchObject({ outcome: 'done', charged: 80, unrecovered: 0 });
  expect(await db.post(settleFor(caller, 'silent', 80))).toMatchObject({ outcome: 'done', charged: 80 });
  expect(await db.post(settleFor(caller, 'exact', 80))).toMatchObject({ outcome: 'repeated', charged: 80 });
  for (const id of ['early', 'silent', 'exact']) {
    expect(await db.post(settleFor(caller, id, 80))).toMatchObject({ outcome: 'repeated', charged: 80 });
  }
  const entries = await db.read
    .selectFrom('ledger')
    .select(['op_key', 'amount', 'request_id', 'reason'])
    .where('kind', '=', 'use')
    .orderBy('op_key')
    .execute();
  expect(entries).toEqual([
    { op_key: 'use:early', amount: 30, request_id: 'early', reason: 'recovered' },
    { op_key: 'use:early:rest', amount: 50, request_id: 'early', reason: '' },
    { op_key: 'use:exact', amount: 80, request_id: 'exact', reason: 'recovered' },
    { op_key: 'use:silent', amount: 80, request_id: 'silent', reason: '' },
  ]);
  const logs = await db.read.selectFrom('logs').select(['request_id', 'quota']).orderBy('id').execute();
  expect(logs.filter((row) => row.request_id === 'early').map((row) => row.quota)).toEqual([30, 50]);
  const user = db.read
    .selectFrom('users')
    .select(['available', 'used', 'request_count'])
    .where('id', '=', caller.userId);
  expect(await user.executeTakeFirst()).toEqual({ available: 760, used: 240, request_count: 3 });
  expect((await verifyLedger(db)).findings).toEqual([]);
  await db.close();
  await place.remove();
});

test('the own holds and those of other nodes stay', async () => {
  const storage = await createTestStorage();
  const other = await openDatabase({ ...storage, nodeName: 'other' });
  const caller = await addCaller(other, 1000);
  await other.post(holdFor(caller, 'theirs', 10));
  await other.close();
  const db = await openDatabase(storage);
  await db.post(holdFor(caller, 'own', 10));
  const holds = db.read.selectFrom('holds').select(['request_id', 'node']).orderBy('request_id');
  expect(await holds.execute()).toEqual([
    { request_id: 'own', node: 'main' },
    { request_id: 'theirs', node: 'other' },
  ]);
  await db.close();
  await storage.remove();
});

test('recovery writes no log where logging is off, and still charges', async () => {
  const storage = await createTestStorage();
  const first = await openDatabase(storage);
  const caller = await addCaller(first, 1000);
  await first.write.insertInto('options').values({ key: 'LogConsumeEnabled', value: 'false', version: 1 }).execute();
  await first.post(holdFor(caller, 'unlogged', 100));
  await first.post({ kind: 'progress', requestId: 'unlogged', progress: 30 });
  await first.close();
  const second = await openDatabase(storage);
  expect(await second.read.selectFrom('logs').selectAll().execute()).toEqual([]);
  const entries = await second.read
    .selectFrom('ledger')
    .select('amount')
    .where('op_key', '=', 'use:unlogged')
    .execute();
  expect(entries).toEqual([{ amount: 30 }]);
  await second.close();
  await storage.remove();
});

test('10,000 open holds are recovered at start', async () => {
  const storage = await createTestStorage();
  const first = await openDatabase(storage);
  const caller = await addCaller(first, 1_000_000, 1_000_000);
  const postings = Array.from({ length: 10_000 }, (_, index) => [
    first.post(holdFor(caller, `many${index}`, 10)),
    ...(index % 2 === 0 ? [first.post({ kind: 'progress', requestId: `many${index}`, progress: 4 })] : []),
  ]);
  await Promise.all(postings.flat());
  await first.close();
  const second = await openDatabase(storage);
  expect(await second.read.selectFrom('holds').selectAll().execute()).toEqual([]);
  const user = await second.read
    .selectFrom('users')
    .select(['available', 'used'])
    .where('id', '=', caller.userId)
    .execute();
  expect(user).toEqual([{ available: 980_000, used: 20_000 }]);
  expect((await verifyLedger(second)).findings).toEqual([]);
  await second.close();
  await storage.remove();
});

test('L4 a hold that the database does not let end is named, and keeps no other from its end; an outage ends the attempt', async () => {
  const db = await openTestDatabase();
  const [wrong, sound] = [await addCaller(db, 1000, 500), await addCaller(db, 1000, 500)];
  await db.post(holdFor(wrong, 'a contradiction', 100));
  await db.post(holdFor(sound, 'b sound', 100));
  // An account that was edited in the database: the end of the hold would leave it less than nothing held.
  await db.write.updateTable('users').set({ held: 0 }).where('id', '=', wrong.userId).execute();
  const { read, identity, post } = db;
  const attempt = (options: Pick<Parameters<typeof endAbandonedHolds>[0], 'post'>) =>
    endAbandonedHolds({ ...options, read, now: 1_700_000_000, processes: [identity], requests: [] });
  const away = () => Promise.reject(new AppError('unavailable'));
  await expect(attempt({ post: away })).rejects.toThrow('unavailable');
  expect(await attempt({ post })).toMatchObject({
    ended: [{ request_id: 'b sound' }],
    stuck: [{ request_id: 'a contradiction', user_id: wrong.userId, amount: 100 }],
  });
  const left = await db.read.selectFrom('holds').select('request_id').execute();
  expect(left).toEqual([{ request_id: 'a contradiction' }]);
  await db.close();
});
