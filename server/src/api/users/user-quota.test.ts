import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { userSchema } from '@weir/contract/users';
import * as v from 'valibot';
import { holdFor, settleFor } from '../../../test/database/accounts.ts';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { verifyLedger } from '../../store/ledger/verify.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.addUser('admin', role.admin);
});
afterAll(() => app.close());

const list = '/api/user/';
const logSchema = v.array(v.looseObject({ type: v.number(), content: v.string(), quota: v.number() }));

const load = async ({ id }: TestUser) => v.parse(userSchema, await admin.data('GET', `${list}${id}`));
const quotaOf = async (user: TestUser) => (await load(user)).quota;
const logOf = async (user: Caller) => v.parse(logSchema, await user.data('GET', '/api/log/self'));
const save = (user: TestUser, body: object) => admin.data('PUT', list, { id: user.id, ...body });

let users = 0;
const addUser = async (quota: number): Promise<TestUser> => {
  users += 1;
  const user = await app.addUser(`user${users}`);
  if (quota > 0) await save(user, { quota });
  return user;
};

let requests = 0;
const callerOf = ({ id }: TestUser) => ({ userId: id, tokenId: 0, channelId: 0, tokenLimited: false });
const spend = async (user: TestUser, amount: number): Promise<void> => {
  requests += 1;
  await app.db.post(settleFor(callerOf(user), `request${requests}`, amount));
};
const hold = async (user: TestUser, amount: number): Promise<void> => {
  requests += 1;
  await app.db.post(holdFor(callerOf(user), `request${requests}`, amount));
};
const expectRightBooks = async () => expect((await verifyLedger(app.db)).findings).toEqual([]);

test('USER-04 a quota edit is a ledger entry, and a management row with before and after in the log of that user', async () => {
  const user = await addUser(0);
  await save(user, { quota: 100_000 });
  await save(user, { quota: 0 });
  expect(await quotaOf(user)).toBe(0);
  expect(await logOf(user)).toMatchObject([
    { type: 3, content: 'administrator changed user quota from $0.200000 quota to $0.000000 quota', quota: 0 },
    { type: 3, content: 'administrator changed user quota from $0.000000 quota to $0.200000 quota', quota: 0 },
  ]);
  const entries = await app.db.read.selectFrom('ledger').selectAll().where('user_id', '=', user.id).execute();
  expect(entries.map(({ kind, amount, actor_id: actor }) => [kind, amount, actor])).toEqual([
    ['adjust', 100_000, admin.id],
    ['adjust', -100_000, admin.id],
  ]);
  const zh = { headers: { 'accept-language': 'zh' }, body: { id: user.id, quota: 500 } };
  await admin.call('PUT', list, zh);
  expect((await logOf(user))[0]?.content).toBe('管理员将用户额度从 ＄0.000000 额度修改为 ＄0.001000 额度');
  await expectRightBooks();
});

test('USER-04 an edit without quota, or with the one there is, moves nothing and logs nothing', async () => {
  const user = await addUser(100);
  const rows = (await logOf(user)).length;
  await save(user, { display_name: 'same' });
  await save(user, { quota: 100 });
  await save(user, { ...(await load(user)), display_name: 'whole' });
  expect(await quotaOf(user)).toBe(100);
  expect(await logOf(user)).toHaveLength(rows);
});

test('USER-04 a form loaded before the user spent credits nothing back, whatever of it is sent', async () => {
  const user = await addUser(100);
  const loaded = await load(user);
  await spend(user, 30);
  await save(user, loaded);
  expect(await quotaOf(user)).toBe(70);
  await save(user, { quota: 100, used_quota: loaded.used_quota, quota_seen: 100 });
  expect(await quotaOf(user)).toBe(70);
  await save(user, { ...loaded, quota: 150 });
  expect(await quotaOf(user)).toBe(120);
  const again = await load(user);
  await spend(user, 20);
  await save(user, { quota: 200, quota_seen: again.quota, used_quota: again.used_quota });
  expect(await quotaOf(user)).toBe(180);
  await expectRightBooks();
});

test('USER-04 what is held by running requests stays theirs; an account never falls below nothing', async () => {
  const user = await addUser(100);
  await hold(user, 40);
  const loaded = await load(user);
  expect(loaded.quota).toBe(100);
  await save(user, { quota: 0, quota_seen: 100, used_quota: loaded.used_quota });
  expect(await quotaOf(user)).toBe(40);
  await save(user, { quota: 90 });
  expect(await quotaOf(user)).toBe(90);
  await spend(user, 45);
  await save(user, { ...loaded, quota: 0 });
  expect(await quotaOf(user)).toBe(40);
  await expectRightBooks();
});

test('USER-04 a form that would undo a credit it has not seen is refused, and one that shows no change is not', async () => {
  const user = await addUser(100);
  const { quota: seen, used_quota: used } = await load(user);
  await admin.data('POST', '/api/topup', { user_id: user.id, quota: 50 });
  const body = { id: user.id, quota_seen: seen, used_quota: used };
  await save(user, { ...body, quota: 100, display_name: 'renamed' });
  expect(await quotaOf(user)).toBe(150);
  expect(await admin.refused('PUT', list, { ...body, quota: 120, display_name: 'not kept' })).toBe(
    'The quota has changed to 150. Reload and try again',
  );
  expect(await load(user)).toMatchObject({ quota: 150, display_name: 'renamed' });
});

test('USER-04 L9 an edit that is sent again because its answer was lost is done once', async () => {
  const user = await addUser(100);
  const { quota: seen, used_quota: used } = await load(user);
  const body = { id: user.id, quota: 130, quota_seen: seen, used_quota: used };
  const answers = await Promise.all(Array.from({ length: 8 }, () => admin.call('PUT', list, { body })));
  expect(answers.filter(({ json }) => json['success'] === true)).toHaveLength(1);
  expect(await quotaOf(user)).toBe(130);
  await expectRightBooks();
});

test('USER-04 edits while requests are charged lose neither: the account has what both leave', async () => {
  const user = await addUser(10_000);
  const charges = Array.from({ length: 40 }, () => spend(user, 100));
  const edits = Array.from({ length: 10 }, async () => {
    const { used_quota: used, quota } = await load(user);
    await admin.call('PUT', list, { body: { id: user.id, quota, used_quota: used, quota_seen: quota } });
    await admin.call('PUT', list, { body: { id: user.id, quota, used_quota: used } });
  });
  await Promise.all([...charges, ...edits]);
  expect(await load(user)).toMatchObject({ quota: 6000, used_quota: 4000 });
  await expectRightBooks();
});

test('USER-04 quotas that are negative, broken or absurd are refused, and nothing of that form is kept', async () => {
  const user = await addUser(100);
  for (const quota of [-1, 1.5, 1e308, 1e16, 2 ** 53, '1e3', 'NaN', '', [], {}, true, null]) {
    const body = { id: user.id, quota, display_name: 'changed' };
    expect(await admin.refused('PUT', list, body), JSON.stringify(quota)).toContain('quota');
  }
  expect(await load(user)).toMatchObject({ quota: 100, display_name: '' });
});

test('POST /api/topup adds quota, with a row that names the amount or the remark', async () => {
  const user = await addUser(0);
  await admin.data('POST', '/api/topup', { user_id: user.id, quota: 250_000 });
  await admin.data('POST', '/api/topup', { user_id: user.id, quota: '5', remark: 'order 4711' });
  expect(await quotaOf(user)).toBe(250_005);
  expect(await logOf(user)).toMatchObject([
    { type: 1, content: 'order 4711', quota: 5 },
    { type: 1, content: 'topped up $0.500000 quota through the API', quota: 250_000 },
  ]);
  const refused = (body: object) => admin.refused('POST', '/api/topup', { user_id: user.id, quota: 5, ...body });
  expect(await refused({ quota: -1 })).toBe('Quota cannot be negative');
  expect(await refused({ quota: 1e16 })).toContain('quota must be at most');
  expect(await refused({ user_id: 999_999 })).toBe('User does not exist');
  for (let times = 0; times < 9; times += 1) await admin.data('POST', '/api/topup', { user_id: user.id, quota: 1e15 });
  expect(await refused({ quota: 1e15 })).toBe('The quota exceeds the maximum balance of an account');
  expect(await quotaOf(user)).toBe(9e15 + 250_005);
  await expectRightBooks();
});

test('POST /api/topup with an idempotency key adds once, however often it is called', async () => {
  const user = await addUser(0);
  const other = await addUser(0);
  const topUp = (key: string, body: object) =>
    admin.call('POST', '/api/topup', {
      headers: { 'idempotency-key': key },
      body: { user_id: user.id, quota: 100, ...body },
    });
  const answers = await Promise.all(Array.from({ length: 12 }, () => topUp('payment 1', {})));
  expect(answers.map(({ json }) => json)).toEqual(Array.from({ length: 12 }, () => ({ success: true, message: '' })));
  expect(await quotaOf(user)).toBe(100);
  expect(await logOf(user)).toHaveLength(1);
  expect((await topUp('payment 1', { quota: 200 })).json).toEqual({
    success: false,
    message: 'This Idempotency-Key was used for another top-up',
  });
  await topUp('payment 2', {});
  await topUp('payment 1', { user_id: other.id });
  expect([await quotaOf(user), await quotaOf(other)]).toEqual([200, 100]);
  expect((await topUp('x'.repeat(256), {})).json['success']).toBe(false);
  await expectRightBooks();
});
