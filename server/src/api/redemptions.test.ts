import { afterAll, beforeAll, expect, test } from 'vitest';
import { redemptionSchema, type Redemption } from '@weir/contract/redemptions';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { verifyLedger } from '../store/ledger/verify.ts';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../../test/app/app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.addUser('admin', role.admin);
});
afterAll(() => app.close());

const list = '/api/redemption/';
const redeemPath = '/api/user/topup';

const codeIn = (data: unknown): Redemption => v.parse(redemptionSchema, data);
const codesIn = (data: unknown): Redemption[] => v.parse(v.array(redemptionSchema), data);
const keysIn = (data: unknown): string[] => v.parse(v.array(v.string()), data);
const make = async (values: object = {}): Promise<string[]> =>
  keysIn(await admin.data('POST', list, { name: 'gift', quota: 1000, count: 1, ...values }));
const makeOne = async (values: object = {}): Promise<Redemption> => {
  const [key] = await make({ ...values, count: 1 });
  const newest = codesIn(await admin.data('GET', list))[0];
  if (newest === undefined || newest.key !== key) throw new Error('the newest code is not the one just made');
  return newest;
};
const get = async (id: number) => codeIn(await admin.data('GET', `${list}${id}`));
const setStatus = (id: number, status: number) => ({ path: `${list}?status_only=true`, body: { id, status } });
const redeem = (who: Caller, key: string) => who.data('POST', redeemPath, { key });
const quotaOf = async (who: Caller) =>
  v.parse(v.object({ quota: v.number() }), await who.data('GET', '/api/user/self')).quota;
const logOf = async (who: Caller) =>
  v.parse(v.array(v.looseObject({ type: v.number(), content: v.string() })), await who.data('GET', '/api/log/self'));

const expectRightBooks = async () => {
  const { findings } = await verifyLedger(app.db);
  expect(findings).toEqual([]);
};

test('RED-04 makes the requested number of codes, each with every member, and keeps none of their keys readable', async () => {
  const before = Math.floor(app.clock.now() / 1000);
  const keys = await make({ name: '春节礼物', quota: 250_000, count: 3 });
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  const newest = codesIn(await admin.data('GET', list)).slice(0, 3);
  expect(newest.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  expect(newest[0]).toEqual({
    id: newest[0]?.id,
    user_id: admin.id,
    key: newest[0]?.key,
    status: 1,
    name: '春节礼物',
    quota: 250_000,
    created_time: newest[0]?.created_time,
    redeemed_time: 0,
    count: 0,
  });
  expect(newest[0]?.created_time).toBeGreaterThanOrEqual(before);
  const rows = JSON.stringify(await app.db.read.selectFrom('redemptions').selectAll().execute());
  for (const key of keys) expect(rows).not.toContain(key);
});

test('RED-04 names, counts and quotas out of bounds are refused, and nothing is made', async () => {
  const first = (await makeOne()).id;
  const refused = (values: object) => admin.refused('POST', list, { name: 'gift', quota: 1000, count: 1, ...values });
  for (const name of ['', '二十一个字符的名称二十一个字符的名称二十一', 'x'.repeat(21)]) {
    expect(await refused({ name })).toBe('Redemption code name length must be between 1 and 20');
  }
  for (const count of [0, -1]) expect(await refused({ count })).toBe('The number of codes must be greater than 0');
  expect(await refused({ count: 101 })).toBe('No more than 100 codes can be generated at once');
  for (const quota of [0, -1, 1.5, 1e308, 1e16, '1e3', '', null, true]) {
    expect(await refused({ quota }), JSON.stringify(quota)).toContain('quota');
  }
  expect(await admin.refused('POST', list, { name: 'gift', count: 1 })).toContain('quota is missing');
  const { id } = await makeOne({ name: '二十个字符的名称二十个字符的名称二十个字' });
  expect(id).toBe(first + 1);
  expect(await make({ count: 100 })).toHaveLength(100);
});

test('RED-01 the list is newest first, ten a page; pages continue each other', async () => {
  await make({ count: 25 });
  const page = async (p: number | string) => codesIn(await admin.data('GET', `${list}?p=${p}`)).map(({ id }) => id);
  const pages = [...(await page(0)), ...(await page(1)), ...(await page(2))];
  expect(pages).toHaveLength(30);
  expect(pages).toEqual(pages.toSorted((one, other) => other - one));
  expect(new Set(pages).size).toBe(30);
  expect(await page(1_000_000)).toEqual([]);
  expect(await page('text')).toHaveLength(10);
});

test('RED-02 searches by id and by the beginning of the name, whatever its case, and takes wildcards literally', async () => {
  const one = await makeOne({ name: 'Spring Sale' });
  const two = await makeOne({ name: 'spring_sale' });
  const three = await makeOne({ name: '100% off' });
  const named = await makeOne({ name: String(one.id) });
  const search = async (keyword: string) =>
    codesIn(await admin.data('GET', `${list}search?keyword=${encodeURIComponent(keyword)}`)).map(({ id }) => id);
  expect(await search(' SPRING ')).toEqual([two.id, one.id]);
  expect(await search('spring_')).toEqual([two.id]);
  expect(await search('100%')).toEqual([three.id]);
  expect(await search('pring')).toEqual([]);
  expect(await search(String(one.id))).toEqual([named.id, one.id]);
  expect(await search('')).toContain(three.id);
});

test('RED-03 C76 disables and enables by status alone, and a disabled code says so; other statuses are refused', async () => {
  const code = await makeOne();
  const set = (status: number) => {
    const { path, body } = setStatus(code.id, status);
    return admin.data('PUT', path, { ...body, name: 'other', quota: 5 });
  };
  expect(await set(2)).toEqual({ ...code, status: 2 });
  const user = await app.addUser('impatient');
  expect(await user.refused('POST', redeemPath, { key: code.key })).toBe(
    'Redemption failed, this redemption code is disabled',
  );
  expect(await set(1)).toEqual(code);
  for (const status of [0, 3, 4, -1]) {
    const { path, body } = setStatus(code.id, status);
    expect(await admin.refused('PUT', path, body)).toBe('The status can only be set to 1 or 2');
  }
  expect(await redeem(user, code.key)).toBe(1000);
});

test('RED-03 edits name and quota; what is left out stays; a wrong value changes nothing', async () => {
  const code = await makeOne();
  const change = (values: object) => admin.data('PUT', list, { id: code.id, ...values });
  expect(await change({ name: '新名称', quota: 7, status: 2, key: 'x', redeemed_time: 5, count: 9 })).toEqual({
    ...code,
    name: '新名称',
    quota: 7,
  });
  expect(await change({})).toMatchObject({ name: '新名称', quota: 7 });
  expect(await change({ quota: 8 })).toMatchObject({ name: '新名称', quota: 8 });
  for (const values of [{ quota: 0 }, { quota: -1 }, { name: '' }, { name: 'x'.repeat(21) }]) {
    await admin.refused('PUT', list, { id: code.id, ...values });
  }
  expect(await get(code.id)).toMatchObject({ name: '新名称', quota: 8 });
});

test('RED-03 a deleted code is gone and cannot be redeemed', async () => {
  const code = await makeOne();
  await admin.data('DELETE', `${list}${code.id}/`);
  for (const method of ['GET', 'DELETE']) {
    expect(await admin.refused(method, `${list}${code.id}`)).toBe('Record not found');
  }
  expect(await admin.refused('PUT', list, { id: code.id, quota: 5 })).toBe('Record not found');
  const user = await app.addUser('toolate');
  expect(await user.refused('POST', redeemPath, { key: code.key })).toBe('Redemption failed, invalid redemption code');
  expect(await quotaOf(user)).toBe(0);
});

test('TOP-01 RED-06 a code is redeemed once: its quota is added, its status is 3, its time is set, the log has a row', async () => {
  const code = await makeOne({ quota: 250_000 });
  const user = await app.addUser('redeemer');
  expect(await user.data('POST', redeemPath, { key: ` ${code.key}\n` })).toBe(250_000);
  expect(await quotaOf(user)).toBe(250_000);
  const used = await get(code.id);
  expect(used).toEqual({ ...code, status: 3, redeemed_time: used.redeemed_time });
  expect(used.redeemed_time).toBeGreaterThanOrEqual(code.created_time);
  const [row] = await logOf(user);
  expect(row).toMatchObject({ type: 1, quota: 0, content: 'topped up $0.500000 quota by redemption code' });
  expect(await user.refused('POST', redeemPath, { key: code.key })).toBe(
    'Redemption failed, this redemption code has already been used',
  );
  const zh = { headers: { 'accept-language': 'zh-CN' } };
  const other = await makeOne({ quota: 5 });
  await app.visitor({ cookie: user.cookie }).call('POST', redeemPath, { ...zh, body: { key: other.key } });
  expect((await logOf(user))[0]).toMatchObject({ content: '通过兑换码充值 ＄0.000010 额度' });
  expect(await quotaOf(user)).toBe(250_005);
  await expectRightBooks();
});

test('RED-06 a used code is never enabled again, nor worth anything else, nor is its entry lost by deleting it', async () => {
  const code = await makeOne();
  const user = await app.addUser('spender');
  await redeem(user, code.key);
  for (const status of [1, 2]) {
    const { path, body } = setStatus(code.id, status);
    expect(await admin.refused('PUT', path, body)).toMatch(/^This redemption code has been used/);
  }
  expect(await admin.refused('PUT', list, { id: code.id, name: 'x', quota: 1 })).toMatch(/has been used/);
  expect(await admin.data('PUT', list, { id: code.id, name: 'renamed', quota: 1000 })).toMatchObject({
    name: 'renamed',
    status: 3,
  });
  await admin.data('DELETE', `${list}${code.id}`);
  await user.refused('POST', redeemPath, { key: code.key });
  expect(await quotaOf(user)).toBe(1000);
  await expectRightBooks();
});

test('TOP-01 an empty code, an unknown one, and an account that can hold no more', async () => {
  const user = await app.addUser('broke');
  for (const key of ['', '   ']) {
    expect(await user.refused('POST', redeemPath, { key })).toBe('No redemption code provided');
  }
  expect(await user.refused('POST', redeemPath, {})).toContain('key is missing');
  expect(await user.refused('POST', redeemPath, { key: 'f'.repeat(32) })).toBe(
    'Redemption failed, invalid redemption code',
  );
  const code = await makeOne({ quota: 1e15 });
  await app.db.post({
    kind: 'credit',
    opKey: `grant:${user.id}`,
    entry: 'grant',
    userId: user.id,
    amount: Number.MAX_SAFE_INTEGER - 10,
    actorId: 0,
    reason: '',
    at: 1,
    log: null,
  });
  expect(await user.refused('POST', redeemPath, { key: code.key })).toBe(
    'Redemption failed, the quota exceeds the maximum balance of the account',
  );
  expect(await get(code.id)).toEqual(code);
});

test('C22 what happens to codes is in the audit log by the members that changed, without a key', async () => {
  const code = await makeOne({ name: 'audited' });
  const user = await app.addUser('audited');
  await admin.data('PUT', list, { ...code, quota: 3 });
  await redeem(user, code.key);
  await admin.data('DELETE', `${list}${code.id}`);
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('subject', 'in', ['audited', `redemption ${code.id}`])
    .orderBy('id')
    .execute();
  expect(rows.map((row) => [row.actor_id, row.action, row.detail])).toEqual([
    [admin.id, 'create_redemptions', '1 codes of 1000'],
    [admin.id, 'update_redemption', 'quota'],
    [user.id, 'redeem', ''],
    [admin.id, 'delete_redemption', ''],
  ]);
  expect(JSON.stringify(rows)).not.toContain(code.key);
});

test('RED-07 only administrators see and make codes', async () => {
  const user = await app.addUser('ordinary');
  const calls = [
    ['GET', list],
    ['GET', `${list}search?keyword=`],
    ['GET', `${list}1`],
    ['POST', list],
    ['PUT', list],
    ['DELETE', `${list}1`],
  ] as const;
  for (const [method, path] of calls) {
    const body = method === 'POST' || method === 'PUT' ? { id: 1, name: 'x', quota: 1, count: 1 } : undefined;
    expect(await user.refused(method, path, body)).toBe('Not permitted: insufficient permission');
    expect((await app.visitor().call(method, path, { body })).status).toBe(401);
  }
  expect((await app.visitor().call('POST', redeemPath, { body: { key: 'x' } })).status).toBe(401);
});
