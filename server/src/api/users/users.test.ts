import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp, testPassword } from '../../../test/app/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp({ initialRootAccessToken: 'root-access-token-of-the-operator' });
});
afterAll(() => app.close());

const self = '/api/user/self';

test('AUTH-12 the first start makes root with its quota, and no constant password works', async () => {
  const root = await app.root();
  expect(await root.data('GET', self)).toMatchObject({
    id: 1,
    username: 'root',
    display_name: 'Root User',
    role: 100,
    status: 1,
    group: 'default',
    quota: 500_000_000_000_000,
    used_quota: 0,
  });
  const login = (password: string) => app.visitor().refused('POST', '/api/user/login', { username: 'root', password });
  for (const password of ['123456', 'root', 'admin', 'password']) await login(password);
});

test('API-05 the own account has every member, and neither password nor access token', async () => {
  const alice = await app.addUser('alice');
  await setUser(app.db, alice.id, { available: 40, held: 2, used: 5, request_count: 3, email: 'alice@example.com' });
  await alice.data('GET', '/api/user/token');
  expect(await alice.data('GET', self)).toEqual({
    id: alice.id,
    username: 'alice',
    password: '',
    display_name: '',
    role: 1,
    status: 1,
    email: 'alice@example.com',
    github_id: '',
    wechat_id: '',
    lark_id: '',
    oidc_id: '',
    verification_code: '',
    access_token: '',
    quota: 42,
    used_quota: 5,
    request_count: 3,
    group: 'default',
    aff_code: '',
    inviter_id: 0,
  });
  await setUser(app.db, alice.id, { available: 0, held: 0, used: 0 });
});

test('PROF-01 changes user name, display name and password; empty and absent members stay', async () => {
  const bob = await app.addUser('bob');
  await bob.data('PUT', self, { username: 'robert', display_name: 'Bob', password: '' });
  await bob.data('PUT', self, { username: '', display_name: '' });
  expect(await bob.data('GET', self)).toMatchObject({ username: 'robert', display_name: 'Bob' });
  await bob.data('PUT', self, { password: 'another long password' });
  await app.signIn('robert', 'another long password');
  await expect(app.signIn('robert', testPassword)).rejects.toThrow('wrong');
});

test('PROF-01 a new password ends every other session and keeps this one', async () => {
  const carol = await app.addUser('carol');
  const elsewhere = await app.signIn('carol', testPassword);
  await carol.data('PUT', self, { password: 'another long password' });
  expect((await elsewhere.call('GET', self)).status).toBe(401);
  await carol.data('GET', self);
});

test('S9 a new password, set by its owner or an administrator, ends the system access token', async () => {
  const mallory = await app.addUser('mallory');
  const works = async (token: string) => (await app.visitor({ authorization: token }).call('GET', self)).json;
  const own = String(await mallory.data('GET', '/api/user/token'));
  await mallory.data('PUT', self, { password: 'another long password' });
  expect(await works(own)).toMatchObject({ success: false, message: 'Not permitted: access token invalid' });
  const next = String(await mallory.data('GET', '/api/user/token'));
  await mallory.data('PUT', self, { display_name: 'Heidi' });
  expect(await works(next)).toMatchObject({ success: true });
  const root = await app.root();
  await root.data('PUT', '/api/user/', { id: mallory.id, password: 'a third long password' });
  expect(await works(next)).toMatchObject({ success: false });
});

test('PROF-01 names and passwords that are too long, too short, taken or too simple are refused', async () => {
  const dave = await app.addUser('dave');
  const refused = (body: unknown) => dave.refused('PUT', self, body);
  expect(await refused({ username: 'root' })).toBe('Username already taken');
  expect(await refused({ username: 'thirteenchars' })).toContain('username must have at most 12 characters');
  expect(await refused({ display_name: 'x'.repeat(21) })).toContain('display_name must have at most 20 characters');
  expect(await refused({ password: 'short77' })).toBe('Password length must not be less than 8');
  expect(await refused({ password: 'x'.repeat(129) })).toBe('Password length must not be more than 128');
  expect(await refused({ username: 'longusername', password: 'LongUserName' })).toBe('This password is too common');
  await dave.data('PUT', self, { username: '十二个字符的用户名称一二', password: '八个汉字的密码啊' });
  await app.signIn('十二个字符的用户名称一二', '八个汉字的密码啊');
});

test('PROF-06 no member of the body changes role, quota, group, status or the bound accounts', async () => {
  const eve = await app.addUser('eve');
  const before = await eve.data('GET', self);
  await eve.data('PUT', self, {
    id: 1,
    role: 100,
    status: 1,
    quota: 1_000_000,
    used_quota: -5,
    group: 'vip',
    email: 'eve@example.com',
    github_id: 'root',
    must_change_password: true,
    access_token: 'x',
    aff_code: 'y',
    inviter_id: 1,
    password: '',
  });
  expect(await eve.data('GET', self)).toEqual(before);
});

test('PROF-03 a system access token works for management calls, in both forms, until the next one is made', async () => {
  const frank = await app.addUser('frank');
  const first = String(await frank.data('GET', '/api/user/token'));
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  for (const authorization of [first, `Bearer ${first}`]) {
    expect(await app.visitor({ authorization }).data('GET', self)).toMatchObject({ username: 'frank' });
  }
  const second = String(await frank.data('GET', '/api/user/token'));
  const old = await app.visitor({ authorization: first }).call('GET', self);
  expect(old.status).toBe(200);
  expect(old.json).toEqual({ success: false, message: 'Not permitted: access token invalid' });
  expect(await app.visitor({ authorization: second }).data('GET', self)).toMatchObject({ username: 'frank' });
});

test('PROF-03 a system access token is no relay key, and a relay key is no system access token', async () => {
  const grace = await app.addUser('grace');
  const accessToken = String(await grace.data('GET', '/api/user/token'));
  for (const authorization of [`Bearer ${accessToken}`, `Bearer sk-${accessToken}`]) {
    expect((await app.visitor({ authorization }).call('GET', '/v1/models')).status).toBe(401);
  }
  const made = await grace.data('POST', '/api/token/', { name: 'key', unlimited_quota: true });
  const { key } = v.parse(tokenSchema, made);
  for (const authorization of [key, `Bearer sk-${key}`]) {
    expect(await app.visitor({ authorization }).refused('GET', self)).toContain('access token invalid');
  }
});

test('a session wins over an access token, as the reference has it', async () => {
  const heidi = await app.addUser('heidi');
  const reply = await heidi.call('GET', self, { headers: { authorization: 'root-access-token-of-the-operator' } });
  expect(reply.json['data']).toMatchObject({ username: 'heidi' });
  const root = app.visitor({ authorization: 'root-access-token-of-the-operator' });
  expect(await root.data('GET', self)).toMatchObject({ username: 'root' });
});

test('the models of the own group are those that enabled channels offer', async () => {
  const ivan = await app.addUser('ivan');
  const root = await app.root();
  const channel = { type: 1, name: 'one', key: 'k', models: 'b-model,a-model', group: 'default,vip' };
  await root.data('POST', '/api/channel/', channel);
  await root.data('POST', '/api/channel/', { ...channel, name: 'two', models: 'vip-model', group: 'vip' });
  await root.data('POST', '/api/channel/', { ...channel, name: 'three', models: 'off-model', status: 2 });
  expect(await ivan.data('GET', '/api/user/available_models')).toEqual(['a-model', 'b-model']);
  await setUser(app.db, ivan.id, { group: 'vip' });
  expect(await ivan.data('GET', '/api/user/available_models')).toEqual(['a-model', 'b-model', 'vip-model']);
});

test('a caller who is not signed in gets 401, and an administrator is no root', async () => {
  for (const [method, path] of [
    ['GET', self],
    ['PUT', self],
    ['GET', '/api/user/token'],
    ['GET', '/api/user/available_models'],
  ] as const) {
    const reply = await app.visitor().call(method, path, method === 'PUT' ? { body: {} } : {});
    expect(reply.status, path).toBe(401);
    expect(reply.json).toEqual({
      success: false,
      message: 'Not permitted: not logged in and no access token provided',
    });
  }
  const admin = await app.addUser('admin', role.admin);
  const body = { key: 'RetryTimes', value: '1' };
  expect(await admin.refused('PUT', '/api/option/', body)).toBe('Not permitted: insufficient permission');
});

test('PROF-04 the invite code is made at the first call and stays the same', async () => {
  const judy = await app.addUser('judy');
  const code = String(await judy.data('GET', '/api/user/aff'));
  expect(code).toMatch(/^[0-9A-Za-z]{8}$/);
  expect(await judy.data('GET', '/api/user/aff')).toBe(code);
  expect(await judy.data('GET', self)).toMatchObject({ aff_code: code });
  const kim = await app.addUser('kim');
  expect(await kim.data('GET', '/api/user/aff')).not.toBe(code);
});

test('PROF-05 deleting the own account ends every session and key at once and frees its name', async () => {
  const leo = await app.addUser('leo');
  const elsewhere = await app.signIn('leo', testPassword);
  const accessToken = String(await leo.data('GET', '/api/user/token'));
  const { key } = v.parse(tokenSchema, await leo.data('POST', '/api/token/', { name: 'key', unlimited_quota: true }));
  const relayed = () => app.visitor({ authorization: `Bearer sk-${key}` }).call('GET', '/v1/models');
  expect((await relayed()).status).toBe(200);

  const reply = await leo.call('DELETE', self);
  expect(reply.json).toEqual({ success: true, message: '' });
  expect(leo.cookie).toBe('session=');
  expect((await elsewhere.call('GET', self)).status).toBe(401);
  expect(await app.visitor({ authorization: accessToken }).refused('GET', self)).toContain('access token invalid');
  expect((await relayed()).status).toBe(403);
  await expect(app.signIn('leo', testPassword)).rejects.toThrow('Username or password wrong');

  const row = await app.db.read.selectFrom('users').selectAll().where('id', '=', leo.id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 3, password_hash: '', access_token_digest: '' });
  expect(row.username).toMatch(/^deleted_[0-9a-f]{32}$/);
  await app.addUser('leo');
});

test('PROF-05 root cannot be deleted', async () => {
  const root = await app.root();
  expect(await root.refused('DELETE', self)).toBe('Cannot delete the super administrator account');
  expect(await root.data('GET', self)).toMatchObject({ username: 'root', status: 1 });
});
