import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { setUser } from '../../test/database/accounts.ts';
import { buildTestApp, type Caller, type TestApp, testPassword } from '../../test/app/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => app.close());

const self = '/api/user/self';
const login = '/api/user/login';
const minute = 60_000;

const signIn = (caller: Caller, username: string) =>
  caller.call('POST', login, { body: { username, password: testPassword } });
const isSignedIn = async (caller: Caller): Promise<boolean> => (await caller.call('GET', self)).status === 200;

test('the cookie is out of reach for scripts and other sites, and lasts 30 days for a user', async () => {
  await app.addUser('cookie');
  const { headers } = await signIn(app.visitor(), 'cookie');
  expect(headers.getSetCookie()[0]).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
});

test('behind a trusted proxy with https the cookie is bound to https and to this host', async () => {
  await app.addUser('secure');
  const browser = app.visitor({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'weir.example' });
  const { headers } = await signIn(browser, 'secure');
  expect(headers.getSetCookie()[0]).toMatch(
    /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await isSignedIn(browser)).toBe(true);
});

test('forwarding headers of a peer that is no trusted proxy change nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const open = await buildTestApp();
  stack.defer(open.close);
  const { headers } = await signIn(open.visitor({ 'x-forwarded-proto': 'https' }), 'root');
  expect(headers.getSetCookie()[0]).toMatch(/^session=/);
});

test('signing in again ends the session that the browser had', async () => {
  const alice = await app.addUser('again');
  const { cookie: first } = alice;
  await signIn(alice, 'again');
  expect(alice.cookie).not.toBe(first);
  expect(await isSignedIn(app.visitor({ cookie: first }))).toBe(false);
  expect(await isSignedIn(alice)).toBe(true);
});

test('AUTH-07 the session is dead after signing out, also for a kept cookie', async () => {
  const alice = await app.addUser('leaving');
  const { cookie } = alice;
  expect((await alice.call('GET', '/api/user/logout')).json).toEqual({ success: true, message: '' });
  expect(alice.cookie).toBe('session=');
  expect(await isSignedIn(app.visitor({ cookie }))).toBe(false);
});

test('a forged or altered cookie is no user', async () => {
  const alice = await app.addUser('tamper');
  for (const cookie of [
    'session=',
    'session=1',
    `${alice.cookie}x`,
    `session=${'%'.repeat(20)}`,
    'session=a; session=b',
  ]) {
    expect(await isSignedIn(app.visitor({ cookie })), cookie).toBe(false);
  }
});

test('of more than twenty sessions of one user the oldest ends', async () => {
  const oldest = await app.addUser('many');
  const others: Caller[] = [];
  for (let count = 0; count < 20; count += 1) {
    app.clock.advance(1000);
    others.push(await app.signIn('many', testPassword));
  }
  expect(await isSignedIn(oldest)).toBe(false);
  expect(await Promise.all(others.map(isSignedIn))).not.toContain(false);
});

test('an administrator is signed out after an hour of doing nothing and after a day, a user after 30 days', async () => {
  const user = await app.addUser('slowuser');
  const admin = await app.addUser('slowadmin', role.admin);
  const idle = await app.signIn('slowadmin', testPassword);
  for (let minutes = 0; minutes < 23 * 60; minutes += 50) {
    app.clock.advance(50 * minute);
    expect(await isSignedIn(admin)).toBe(true);
  }
  expect(await isSignedIn(idle)).toBe(false);
  app.clock.advance(50 * minute);
  expect(await isSignedIn(admin)).toBe(false);
  app.clock.advance(28 * 24 * 60 * minute);
  expect(await isSignedIn(user)).toBe(true);
  app.clock.advance(2 * 24 * 60 * minute);
  expect(await isSignedIn(user)).toBe(false);
});

test('AUTH-08 a ban and a deletion end what the user can do at once, by session and by access token', async () => {
  for (const status of [2, 3]) {
    const victim = await app.addUser(`victim${status}`);
    const token = String(await victim.data('GET', '/api/user/token'));
    await setUser(app.db, victim.id, { status });
    const bySession = await victim.call('GET', self);
    const byToken = await app.visitor({ authorization: token }).call('GET', self);
    expect(bySession.text + byToken.text).not.toContain(victim.username);
    expect(byToken.json['success']).toBe(false);
    expect(await app.visitor().refused('POST', login, { username: victim.username, password: testPassword })).toBe(
      'Username or password wrong, or user has been banned',
    );
    if (status === 2) expect(bySession.json['message']).toBe('User has been banned');
    await setUser(app.db, victim.id, { status: 1 });
    if (status === 2) expect(await isSignedIn(victim)).toBe(false);
  }
});

test('a demotion counts from the next call on', async () => {
  const admin = await app.addUser('demoted', role.admin);
  await admin.data('GET', '/api/channel/');
  await setUser(app.db, admin.id, { role: role.user });
  expect(await admin.refused('GET', '/api/channel/')).toBe('Not permitted: insufficient permission');
});
