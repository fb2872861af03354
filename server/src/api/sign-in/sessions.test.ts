import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrokenAudit } from '../../store/audit.ts';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp, testPassword } from '../../../test/app/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const login = '/api/user/login';
const wrong = 'Username or password wrong, or user has been banned';

test('AUTH-01 signs in with the user name or the e-mail address and fills five members of the user', async () => {
  const alice = await app.addUser('alice');
  await setUser(app.db, alice.id, { email: 'alice@example.com', display_name: 'Alice', available: 7 });
  const byAddress = await app.visitor().data('POST', login, { username: 'alice@example.com', password: testPassword });
  expect(byAddress).toEqual(await app.visitor().data('POST', login, { username: 'alice', password: testPassword }));
  expect(byAddress).toEqual({
    id: alice.id,
    username: 'alice',
    display_name: 'Alice',
    role: 1,
    status: 1,
    password: '',
    email: '',
    github_id: '',
    wechat_id: '',
    lark_id: '',
    oidc_id: '',
    verification_code: '',
    access_token: '',
    quota: 0,
    used_quota: 0,
    request_count: 0,
    group: '',
    aff_code: '',
    inviter_id: 0,
  });
});

test('AUTH-02 an empty user name or password is refused before anything is looked up', async () => {
  for (const body of [
    { username: '', password: testPassword },
    { username: 'root', password: '' },
  ]) {
    expect(await app.visitor().refused('POST', login, body)).toBe('Invalid parameter');
  }
  expect(await app.visitor().refused('POST', login, { username: 'root' })).toBe(
    'Invalid input, please check your input: password is missing',
  );
});

test('AUTH-03 a wrong password, an unknown user and a banned one get the same answer', async () => {
  const banned = await app.addUser('banned');
  await setUser(app.db, banned.id, { status: 2 });
  for (const body of [
    { username: 'root', password: 'wrong password' },
    { username: 'unknown', password: testPassword },
    { username: 'banned', password: testPassword },
  ]) {
    const reply = await app.visitor().call('POST', login, { body });
    expect(reply.json).toEqual({ success: false, message: wrong });
    expect(reply.headers.get('set-cookie')).toBeNull();
  }
});

test('AUTH-04 C5 the login answer of root requires a change of the first password, until it was changed', async () => {
  const root = await app.root();
  const body = { username: 'root', password: testPassword };
  expect(await app.visitor().data('POST', login, body)).toMatchObject({ must_change_password: true, role: 100 });
  expect(await root.data('GET', '/api/user/self')).toMatchObject({ must_change_password: true });
  // C5: the same password once more is no change.
  await root.data('PUT', '/api/user/self', { password: testPassword });
  expect(await root.data('GET', '/api/user/self')).toMatchObject({ must_change_password: true });
  await root.data('PUT', '/api/user/self', { password: 'another long password' });
  const changed = await app.visitor().data('POST', login, { ...body, password: 'another long password' });
  expect(changed).not.toHaveProperty('must_change_password');
  await setUser(app.db, 1, { password_hash: (await stored()).password_hash });
});

const stored = () =>
  app.db.read.selectFrom('users').select('password_hash').where('username', '=', 'alice').executeTakeFirstOrThrow();

test('AUTH-07 signing out without a session succeeds too', async () => {
  expect((await app.visitor().call('GET', '/api/user/logout')).json).toEqual({ success: true, message: '' });
});

test('AUTH-09 OPT-PasswordLoginEnabled password login switched off refuses the right password, in the language of the caller', async () => {
  const root = await app.root();
  const body = { username: 'alice', password: testPassword };
  await root.data('PUT', '/api/option/', { key: 'PasswordLoginEnabled', value: 'false' });
  try {
    expect(await app.visitor().refused('POST', login, body)).toBe('The administrator has closed password login');
    const chinese = app.visitor({ 'accept-language': 'zh-CN,zh;q=0.9' });
    expect(await chinese.refused('POST', login, body)).toBe('管理员关闭了密码登录');
    expect(await app.visitor().data('GET', '/api/status')).toMatchObject({ password_login_enabled: false });
  } finally {
    await root.data('PUT', '/api/option/', { key: 'PasswordLoginEnabled', value: 'true' });
  }
});

test('sign-ins and failed ones are in the audit log, with the name that was tried and no password', async () => {
  await app.visitor().refused('POST', login, { username: 'alice', password: 'canary-password' });
  const rows = await app.db.read.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(20).execute();
  expect(rows[0]).toMatchObject({ action: 'login_failed', subject: 'alice', actor_id: 0, address: '127.0.0.1' });
  expect(rows.some((row) => row.action === 'login' && row.actor_name === 'root')).toBe(true);
  expect(JSON.stringify(rows) + app.logged()).not.toContain('canary');
  expect(await findBrokenAudit(app.db.read)).toBeUndefined();
});

test('AUTH-01 an imported account signs in with its old password, whose hash is then made anew', async () => {
  const imported = '$2a$10$WNKAlOWkDNSRQP91bKuQQuDH4MLkRPnM2mM0yZrc33f513HbxbqpC';
  const { id } = await app.addUser('imported');
  await setUser(app.db, id, { password_hash: imported });
  const body = { username: 'imported', password: 'password 水' };
  expect(await app.visitor().refused('POST', login, { ...body, password: 'password' })).toBe(wrong);
  const hash = async () =>
    (await app.db.read.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
      .password_hash;
  expect(await hash()).toBe(imported);
  await app.visitor().data('POST', login, body);
  const renewed = await hash();
  expect(renewed).toMatch(/^\$argon2id\$/);
  await app.visitor().data('POST', login, body);
  expect(await hash()).toBe(renewed);
});
