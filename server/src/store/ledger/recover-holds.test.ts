import { expect, test } from 'vitest';
import { addCaller, holdFor, settleFor } from '../../../test/database/accounts.ts';
import { createTestStorage } from '../../../test/database/database.ts';
import { openDatabase } from '../open-database.ts';
import { verifyLedger } from './verify.ts';

test('holds of a dead process are charged for what was delivered, or given back', async () => {
  const place = await createTestStorage();
  const first = await openDatabase(place);
  const caller = await addCaller(first, 1000, 500);
  await first.post(holdFor(caller, 'delivered', 100));
  await first.post({ kind: 'progress', requestId: 'delivered', progress: 30 });
  await first.post(holdFor(caller, 'silent', 100));
  await first.post(holdFor(caller, 'beyond', 100));
  await first.post({ kind: 'progress', requestId: 'beyond', progress: 150 });
  await first.close();

  const second = await openDatabase(place);
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
  // The answer that the dead process was about to write settles nothing more.
  expect((await second.post(settleFor(caller, 'delivered', 80))).outcome).toBe('repeated');
  expect((await verifyLedger(second)).findings).toEqual([]);
  await second.close();
  await place.remove();
});

test('the own holds and those of other nodes stay', async () => {
  const place = await createTestStorage();
  const other = await openDatabase({ ...place, nodeName: 'other' });
  const caller = await addCaller(other, 1000);
  await other.post(holdFor(caller, 'theirs', 10));
  await other.close();
  const db = await openDatabase(place);
  await db.post(holdFor(caller, 'own', 10));
  const holds = db.read.selectFrom('holds').select(['request_id', 'node']).orderBy('request_id');
  expect(await holds.execute()).toEqual([
    { request_id: 'own', node: 'main' },
    { request_id: 'theirs', node: 'other' },
  ]);
  await db.close();
  await place.remove();
});

test('recovery writes no log where logging is off, and still charges', async () => {
  const place = await createTestStorage();
  const first = await openDatabase(place);
  const caller = await addCaller(first, 1000);
  await first.write.insertInto('options').values({ key: 'LogConsumeEnabled', value: 'false', version: 1 }).execute();
  await first.post(holdFor(caller, 'unlogged', 100));
  await first.post({ kind: 'progress', requestId: 'unlogged', progress: 30 });
  await first.close();
  const second = await openDatabase(place);
  expect(await second.read.selectFrom('logs').selectAll().execute()).toEqual([]);
  const entries = await second.read
    .selectFrom('ledger')
    .select('amount')
    .where('op_key', '=', 'use:unlogged')
    .execute();
  expect(entries).toEqual([{ amount: 30 }]);
  await second.close();
  await place.remove();
});

test('10,000 open holds are recovered at start', async () => {
  const place = await createTestStorage();
  const first = await openDatabase(place);
  const caller = await addCaller(first, 1_000_000, 1_000_000);
  const postings = Array.from({ length: 10_000 }, (_, index) => [
    first.post(holdFor(caller, `many${index}`, 10)),
    ...(index % 2 === 0 ? [first.post({ kind: 'progress', requestId: `many${index}`, progress: 4 })] : []),
  ]);
  await Promise.all(postings.flat());
  await first.close();
  const second = await openDatabase(place);
  expect(await second.read.selectFrom('holds').selectAll().execute()).toEqual([]);
  const user = await second.read
    .selectFrom('users')
    .select(['available', 'used'])
    .where('id', '=', caller.userId)
    .execute();
  expect(user).toEqual([{ available: 980_000, used: 20_000 }]);
  expect((await verifyLedger(second)).findings).toEqual([]);
  await second.close();
  await place.remove();
});
