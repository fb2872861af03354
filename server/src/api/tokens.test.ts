import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenSchema, type Token } from '@weir/contract/tokens';
import * as v from 'valibot';
import { isTokenKey } from '../store/credentials/token-key.ts';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../../test/app/app.ts';

let app: TestApp;
let alice: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  alice = await app.addUser('alice');
});
afterAll(() => app.close());

const list = '/api/token/';
let names = 0;

const tokenIn = (data: unknown): Token => v.parse(tokenSchema, data);
const create = async (values: object = {}, owner: Caller = alice): Promise<Token> => {
  names += 1;
  return tokenIn(await owner.data('POST', list, { name: `token ${names}`, remain_quota: 1000, ...values }));
};
const get = async (id: number, owner: Caller = alice) => tokenIn(await owner.data('GET', `${list}${id}`));
const setColumns = (
  id: number,
  values: { status?: number; available?: number; used?: number; expired_time?: number },
) => app.db.write.updateTable('tokens').set(values).where('id', '=', id).execute();
const models = (key: string) => app.visitor({ authorization: `Bearer sk-${key}` }).call('GET', '/v1/models');
const namesIn = (data: unknown): string[] => (Array.isArray(data) ? data.map((row) => tokenIn(row).name) : []);

test('API-05 a new token has every member, its whole key included', async () => {
  const before = Math.floor(app.clock.now() / 1000);
  const token = await create({ name: 'ci', models: 'a,b', subnet: '10.0.0.0/8, ::1/128', expired_time: 4_102_444_800 });
  expect(token).toEqual({
    id: token.id,
    user_id: alice.id,
    key: token.key,
    status: 1,
    name: 'ci',
    created_time: token.created_time,
    accessed_time: token.created_time,
    expired_time: 4_102_444_800,
    remain_quota: 1000,
    unlimited_quota: false,
    used_quota: 0,
    models: 'a,b',
    subnet: '10.0.0.0/8, ::1/128',
    overlap_until: 0,
    last_address: '',
  });
  expect(token.created_time).toBeGreaterThanOrEqual(before);
  expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/);
  expect(isTokenKey(token.key)).toBe(true);
  expect(await get(token.id)).toEqual(token);
  const rows = await app.db.read.selectFrom('tokens').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token.key);
});

test('TOK-11 what a form leaves alone: never expires, not unlimited, all models, from everywhere', async () => {
  const token = tokenIn(await alice.data('POST', list, { name: '' }));
  expect(token).toMatchObject({ expired_time: -1, unlimited_quota: false, remain_quota: 0, models: '', subnet: '' });
  expect(await create({ expired_time: 0, models: null, subnet: null })).toMatchObject({ expired_time: -1, models: '' });
});

test('TOK-01 the list is newest first, ten a page, and empty beyond the end', async () => {
  const bob = await app.addUser('bob');
  for (let count = 0; count < 12; count += 1) await create({ name: `bob ${count}` }, bob);
  const page = async (query: string) => namesIn(await bob.data('GET', `${list}${query}`));
  expect(await page('?p=0&order=')).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((count) => `bob ${count}`));
  expect(await page('?p=1')).toEqual(['bob 1', 'bob 0']);
  expect(await page('?p=2')).toEqual([]);
  expect(await page('')).toEqual(await page('?p=-1&order=nonsense&page_size=100'));
  expect(await page('?p=text')).toHaveLength(10);
});

test('TOK-05 reading the first page again shows what is new, and the next one continues from there', async () => {
  const dan = await app.addUser('dan');
  for (let count = 0; count < 11; count += 1) await create({ name: `dan ${count}` }, dan);
  const page = async (number: number) => namesIn(await dan.data('GET', `${list}?p=${number}`));
  await page(0);
  await create({ name: 'new' }, dan);
  expect((await page(0))[0]).toBe('new');
  expect(await page(1)).toEqual(['dan 1', 'dan 0']);
});

test('TOK-02 C21 searches by a part of the name, whatever its case, and takes wildcards literally', async () => {
  const carol = await app.addUser('carol');
  for (const name of ['Build one', 'build_two', 'rebuild', '100%']) await create({ name }, carol);
  const search = async (keyword: string) =>
    namesIn(await carol.data('GET', `/api/token/search?keyword=${encodeURIComponent(keyword)}`));
  expect(await search(' BUILD ')).toEqual(['rebuild', 'build_two', 'Build one']);
  expect(await search('build_')).toEqual(['build_two']);
  expect(await search('100%')).toEqual(['100%']);
  expect(await search('none')).toEqual([]);
  expect(await search('')).toHaveLength(4);
});

test('TOK-03 sorts by what remains, unlimited ones first, and by what was used', async () => {
  const erin = await app.addUser('erin');
  const ids: number[] = [];
  for (const [name, remain, used] of [
    ['little', 10, 5],
    ['much', 900, 1],
    ['middle', 500, 70],
  ] as const) {
    const token = await create({ name }, erin);
    await setColumns(token.id, { available: remain, used });
    ids.push(token.id);
  }
  await create({ name: 'unlimited', unlimited_quota: true }, erin);
  expect(namesIn(await erin.data('GET', `${list}?order=remain_quota`))).toEqual([
    'unlimited',
    'much',
    'middle',
    'little',
  ]);
  expect(namesIn(await erin.data('GET', `${list}?order=used_quota`))).toEqual([
    'middle',
    'little',
    'much',
    'unlimited',
  ]);
});

test('TOK-04 pages of each order continue each other without a gap or a repeat', async () => {
  const frank = await app.addUser('frank');
  for (let count = 0; count < 23; count += 1) {
    const token = await create({ name: `frank ${count}`, unlimited_quota: count % 5 === 0 }, frank);
    await setColumns(token.id, { available: count % 4, used: count % 3 });
  }
  for (const order of ['', 'remain_quota', 'used_quota']) {
    const pages: string[] = [];
    for (const p of [0, 1, 2]) pages.push(...namesIn(await frank.data('GET', `${list}?p=${p}&order=${order}`)));
    expect(new Set(pages).size, order).toBe(23);
    expect(pages, order).toHaveLength(23);
  }
});

test('TOK-08 a deleted token is gone, and its key stops working at once', async () => {
  const token = await create({ unlimited_quota: true });
  expect((await models(token.key)).status).toBe(200);
  await alice.data('DELETE', `${list}${token.id}/`);
  expect((await models(token.key)).status).toBe(401);
  expect(await alice.refused('GET', `${list}${token.id}`)).toBe('Record not found');
  expect(await alice.refused('DELETE', `${list}${token.id}`)).toBe('Record not found');
  const row = await app.db.read.selectFrom('tokens').selectAll().where('id', '=', token.id).executeTakeFirstOrThrow();
  expect(row.key_sealed).toBe('');
});

test('TOK-09 a status-only update changes the status alone; a disabled key stops working at once', async () => {
  const token = await create({ unlimited_quota: true });
  await models(token.key);
  const setStatus = (status: number) =>
    alice.data('PUT', `${list}?status_only=true`, { id: token.id, status, name: 'other', remain_quota: 1 });
  expect(await setStatus(2)).toEqual({ ...token, status: 2 });
  expect((await models(token.key)).status).toBe(401);
  expect(await setStatus(1)).toEqual(token);
  expect((await models(token.key)).status).toBe(200);
  for (const status of [0, 3, 4, -1, 99]) {
    expect(await alice.refused('PUT', `${list}?status_only=1`, { id: token.id, status })).toBe(
      'The status can only be set to 1 or 2',
    );
  }
});

test('TOK-10 an expired or exhausted token is enabled only after its cause was removed', async () => {
  const enable = { status: 1 };
  const expired = await create();
  await setColumns(expired.id, { status: 3, expired_time: 1000 });
  const empty = await create({ remain_quota: 0 });
  await setColumns(empty.id, { status: 4 });
  for (const query of ['', '?status_only=true']) {
    const refused = (id: number) => alice.refused('PUT', `${list}${query}`, { id, ...enable });
    expect(await refused(expired.id)).toMatch(/^Token has expired and cannot be enabled/);
    expect(await refused(empty.id)).toMatch(/^Token quota is used up and cannot be enabled/);
  }
  await alice.data('PUT', list, { id: expired.id, expired_time: -1 });
  await alice.data('PUT', list, { id: empty.id, remain_quota: 5 });
  for (const { id } of [expired, empty]) {
    expect((await get(id)).status).not.toBe(1);
    expect(await alice.data('PUT', `${list}?status_only=true`, { id, ...enable })).toMatchObject({ status: 1 });
  }
});

test('TOK-13 quotas that are negative, broken or absurd are refused, and nothing changes', async () => {
  const token = await create();
  for (const remain of [-1, -0.5, 1.5, 1e308, 1e16, 2 ** 53, '1e3', 'NaN', '', [], {}, true, null]) {
    const update = { id: token.id, remain_quota: remain };
    expect(await alice.refused('PUT', list, update), JSON.stringify(remain)).toContain('remain_quota');
    expect(await alice.refused('POST', list, { name: 'x', remain_quota: remain }), JSON.stringify(remain)).toContain(
      'remain_quota',
    );
  }
  for (const usedQuota of [-1, 1e300]) {
    const update = { id: token.id, remain_quota: 5, used_quota: usedQuota };
    expect(await alice.refused('PUT', list, update)).toContain('used_quota');
  }
  expect(await get(token.id)).toEqual(token);
  expect(await create({ remain_quota: '250' })).toMatchObject({ remain_quota: 250 });
});

test('TOK-12 an expiry is a whole number of unix seconds, or -1 for never', async () => {
  expect(await create({ expired_time: 1_800_000_001 })).toMatchObject({ expired_time: 1_800_000_001 });
  expect(await create({ expired_time: '1800000001' })).toMatchObject({ expired_time: 1_800_000_001 });
  expect(await create({ expired_time: -1 })).toMatchObject({ expired_time: -1 });
  for (const expiry of [1_800_000_000.5, -2, 1e15, '2027-01-01', '', true, null]) {
    const refused = await alice.refused('POST', list, { name: 'x', expired_time: expiry });
    expect(refused, JSON.stringify(expiry)).toContain('expired_time');
  }
});

test('a form loaded before a request was charged gives nothing back', async () => {
  const token = await create({ remain_quota: 1000 });
  await setColumns(token.id, { available: 700, used: 300 });
  const saved = await alice.data('PUT', list, { id: token.id, remain_quota: 1000, used_quota: 0 });
  expect(saved).toMatchObject({ remain_quota: 700, used_quota: 300 });
  const raised = await alice.data('PUT', list, { id: token.id, remain_quota: 900, used_quota: 300 });
  expect(raised).toMatchObject({ remain_quota: 900, used_quota: 300 });
});

test('members absent from an update stay as they are', async () => {
  const token = await create({ models: 'a', subnet: '10.0.0.0/8', expired_time: 4_102_444_800 });
  expect(await alice.data('PUT', list, { id: token.id, name: 'renamed' })).toEqual({ ...token, name: 'renamed' });
  expect(await alice.data('PUT', list, { id: token.id, models: null, subnet: '' })).toMatchObject({
    models: 'a',
    subnet: '',
  });
  const unlimited = await alice.data('PUT', list, { id: token.id, unlimited_quota: true });
  expect(unlimited).toMatchObject({ unlimited_quota: true, remain_quota: 1000 });
});

test('a bad network segment, a long name and a bad expiry are refused by name', async () => {
  expect(await alice.refused('POST', list, { name: 'x', subnet: '10.0.0.0/8,10.0.0.1' })).toBe(
    'Parameter error: invalid network segment: 10.0.0.1',
  );
  expect(await alice.refused('POST', list, { name: 'x', subnet: '10.0.0.0/33' })).toContain('10.0.0.0/33');
  expect(await alice.refused('POST', list, { name: 'x'.repeat(31) })).toContain('name must have at most 30 characters');
  expect(await alice.refused('POST', list, { name: 'x', expired_time: -2 })).toContain(
    'expired_time must be at least -1',
  );
  await create({ name: '三十个字符的名称三十个字符的名称三十个字符的名称三十个字符十' });
});

test('TOK-16 no user reads, changes or deletes the token of another, not even root', async () => {
  const token = await create();
  const mallory = await app.addUser('mallory');
  for (const other of [mallory, await app.root()]) {
    expect(await other.refused('GET', `${list}${token.id}`)).toBe('Record not found');
    expect(await other.refused('PUT', list, { id: token.id, name: 'stolen' })).toBe('Record not found');
    const statusOnly = { id: token.id, status: 2 };
    expect(await other.refused('PUT', `${list}?status_only=true`, statusOnly)).toBe('Record not found');
    expect(await other.refused('DELETE', `${list}${token.id}`)).toBe('Record not found');
    expect(JSON.stringify(await other.data('GET', `${list}search?keyword=token`))).not.toContain(token.key);
  }
  expect(await get(token.id)).toEqual(token);
});

test('C22 what happens to tokens is in the audit log by the members that changed, without a key', async () => {
  const token = await create();
  const audited = tokenIn(await alice.data('PUT', list, { id: token.id, name: 'audited', remain_quota: 3 }));
  // As a form sends it: with everything it was loaded with.
  await alice.data('PUT', list, { ...audited, unlimited_quota: true });
  await alice.data('DELETE', `${list}${token.id}`);
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('subject', '=', `token ${token.id}`)
    .orderBy('id')
    .execute();
  expect(rows.map(({ action, detail }) => [action, detail])).toEqual([
    ['create_token', ''],
    ['update_token', 'name remain_quota'],
    ['update_token', 'unlimited_quota'],
    ['delete_token', ''],
  ]);
  expect(rows.every((row) => row.actor_id === alice.id)).toBe(true);
  expect(JSON.stringify(rows)).not.toContain(token.key);
});

test('no signed-in user, and an invalid id', async () => {
  for (const [method, path] of [
    ['GET', list],
    ['GET', `${list}1`],
    ['POST', list],
    ['PUT', list],
    ['DELETE', `${list}1`],
  ] as const) {
    const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
    expect((await app.visitor().call(method, path, body)).status, `${method} ${path}`).toBe(401);
  }
  expect(await alice.refused('GET', `${list}first`)).toBe('Invalid parameter');
  expect(await alice.refused('PUT', list, { name: 'x' })).toContain('id is missing');
});
