import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { setUser } from '../../../test/database/accounts.ts';
import {
  buildTestApp,
  type Caller,
  type Reply,
  type TestApp,
  type TestUser,
  testPassword,
} from '../../../test/app/app.ts';
import { type CodeHost, startCodeHost } from '../../../test/fakes/services/fake-code-host.ts';

let host: CodeHost;
let app: TestApp;
let root: TestUser;
const set = (key: string, value: string) => root.data('PUT', '/api/option/', { key, value });

beforeAll(async () => {
  host = await startCodeHost();
  app = await buildTestApp({ githubUrl: host.url, frozen: true });
  root = await app.root();
  await set('GitHubClientId', host.clientId);
  await set('GitHubClientSecret', host.clientSecret);
  await set('GitHubOAuthEnabled', 'true');
});
afterAll(async () => {
  await app.close();
  await host.close();
});
let nextId = 1000;
beforeEach(() => {
  nextId += 1;
  host.codes.person = { id: nextId, login: `octo${nextId}`, name: `Octo ${nextId}`, email: null };
});
afterEach(() => {
  host.failure = undefined;
  const faults = host.faults();
  if (faults.length > 0) throw new Error(`a wrong request to the code host: ${faults.join('; ')}`);
});

const self = '/api/user/self';
const mismatch = 'State is empty or not same';

/** The address to which the authorize page of the code host redirects a browser with this state. */
const authorize = async (state: string, challenge?: unknown): Promise<string> => {
  const query = new URLSearchParams({ client_id: host.clientId, state, scope: 'user:email' });
  if (typeof challenge === 'string') {
    query.set('code_challenge', challenge);
    query.set('code_challenge_method', 'S256');
  }
  const page = await (await fetch(`${host.url}/login/oauth/authorize?${query.toString()}`)).text();
  const code = /code=(\w+)/.exec(page)?.[1] ?? '';
  return `/api/oauth/github?code=${code}&state=${state}`;
};

const goThere = async (browser: Caller): Promise<string> => {
  const { json } = await browser.call('GET', '/api/oauth/state?provider=github');
  return authorize(String(json['data']), json['code_challenge']);
};

const signIn = async (browser: Caller): Promise<Reply> => browser.call('GET', await goThere(browser));
const messageOf = ({ json }: Reply) => String(json['message']);
const rowsOf = (uid: number) =>
  app.db.read.selectFrom('users').selectAll().where('github_uid', '=', String(uid)).orderBy('id').execute();

test('OAUTH-01 a state is random, and an anonymous browser gets a session for it that is out of reach for scripts', async () => {
  const browser = app.visitor();
  const first = await browser.call('GET', '/api/oauth/state');
  expect(first.json['data']).toMatch(/^[\w-]{32}$/);
  expect(first.json).not.toHaveProperty('code_challenge');
  expect(first.headers.get('set-cookie')).toMatch(/^session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
  const second = await browser.call('GET', '/api/oauth/state?provider=github');
  expect(second.headers.get('set-cookie')).toBeNull();
  expect(second.json['data']).not.toBe(first.json['data']);
  expect(second.json['code_challenge']).toMatch(/^[\w-]{43}$/);
  expect((await browser.call('GET', self)).status).toBe(401);
  const { data } = await app.db.read
    .selectFrom('sessions')
    .select('data')
    .where('data', '<>', '')
    .executeTakeFirstOrThrow();
  expect(data).not.toContain(String(first.json['data']));
});

test('OAUTH-04 OPT-GitHubOAuthEnabled OPT-GitHubClientId OPT-GitHubClientSecret a new user gets what new users get', async () => {
  await set('QuotaForNewUser', '700');
  host.codes.person = {
    id: nextId,
    login: 'octocat',
    name: 'The Octocat of the Seven Seas',
    email: 'octo@example.com',
  };
  const browser = app.visitor();
  const reply = await signIn(browser);
  await set('QuotaForNewUser', '0');
  const [row] = await rowsOf(nextId);
  expect(row).toMatchObject({ username: `github_${row?.id}`, password_hash: '', available: 700, inviter_id: 0 });
  expect(reply.json).toMatchObject({ success: true, message: '', data: { id: row?.id, username: row?.username } });
  expect(await browser.data('GET', self)).toMatchObject({
    display_name: 'The Octocat of the S',
    github_id: 'octocat',
    email: 'octo@example.com',
    quota: 700,
    role: 1,
    status: 1,
    group: 'default',
  });
  expect(await browser.data('GET', '/api/log/self?type=4')).toHaveLength(1);
  expect(await browser.data('GET', '/api/token/')).toMatchObject([{ name: 'default', unlimited_quota: true }]);
});

test('OAUTH-04 API-02 an imported account with a login name alone signs in, and is known by its number from then on', async () => {
  const login = `octo${nextId}`;
  const { id } = await app.addUser('moved');
  await setUser(app.db, id, { github_id: login });
  const other = await app.addUser('other');
  expect(messageOf(await signIn(other))).toBe('This GitHub account is already bound');
  const browsers = [app.visitor(), app.visitor()];
  const replies = await Promise.all(browsers.map(signIn));
  for (const { json } of replies) expect(json).toMatchObject({ success: true, data: { id, username: 'moved' } });
  expect(await rowsOf(nextId)).toMatchObject([{ id, github_id: login }]);
  // An account that gets the name later is another person.
  host.codes.person = { id: nextId + 500_000, login, name: null, email: null };
  expect((await signIn(app.visitor())).json['data']).not.toMatchObject({ id });
  expect(await rowsOf(nextId)).toMatchObject([{ id }]);
});

test('OAUTH-04 an existing user is signed in by the number of the account, whatever it is called now', async () => {
  await signIn(app.visitor());
  const renamed = { id: nextId, login: 'renamed', name: null, email: null };
  host.codes.person = renamed;
  const again = app.visitor();
  await signIn(again);
  expect(await again.data('GET', self)).toMatchObject({ github_id: 'renamed' });
  expect(await rowsOf(nextId)).toHaveLength(1);
  // Another account took the name that became free: that is another person.
  host.codes.person = { ...renamed, id: nextId + 500_000 };
  const other = app.visitor();
  await signIn(other);
  expect(await other.data('GET', self)).not.toMatchObject({ id: (await rowsOf(nextId))[0]?.id });
  expect(await other.data('GET', self)).toMatchObject({ display_name: 'GitHub User' });
});

test('OAUTH-04 a banned user is refused, and a deleted one begins anew', async () => {
  await signIn(app.visitor());
  const [row] = await rowsOf(nextId);
  await setUser(app.db, row?.id ?? 0, { status: 2 });
  const browser = app.visitor();
  expect((await signIn(browser)).json).toEqual({ success: false, message: 'User has been banned' });
  expect((await browser.call('GET', self)).status).toBe(401);
  await setUser(app.db, row?.id ?? 0, { status: 1 });
  await signIn(browser);
  await browser.data('DELETE', self);
  await signIn(browser);
  expect(await rowsOf(nextId)).toMatchObject([{ status: 3 }, { status: 1 }]);
});

test('OAUTH-04 while registration is closed new users are refused, and known ones sign in', async () => {
  const known = app.visitor();
  await signIn(known);
  await set('RegisterEnabled', 'false');
  expect((await signIn(app.visitor())).json['success']).toBe(true);
  host.codes.person = { ...host.codes.person, id: nextId + 500_000 };
  const refused = await signIn(app.visitor());
  await set('RegisterEnabled', 'true');
  expect(messageOf(refused)).toBe('The administrator has closed new user registration');
  expect(await rowsOf(nextId + 500_000)).toEqual([]);
});

test('an address of another account stays with it, and an invalid one is dropped', async () => {
  const owner = await app.addUser('owner');
  await setUser(app.db, owner.id, { email: 'owner@example.com' });
  for (const email of ['owner@example.com', 'a b@example.com', '"x"@example.com', `${'x'.repeat(50)}@example.com`]) {
    host.codes.person = { id: (nextId += 1), login: 'mallory', name: 'M', email };
    const browser = app.visitor();
    await signIn(browser);
    expect(await browser.data('GET', self), email).toMatchObject({ email: '', github_id: 'mallory' });
  }
});

test('OPT-EmailDomainRestrictionEnabled an address of a domain that is not listed is dropped', async () => {
  await set('EmailDomainRestrictionEnabled', 'true');
  const found: unknown[] = [];
  for (const email of ['outside@example.com', 'inside@gmail.com']) {
    host.codes.person = { id: (nextId += 1), login: 'heidi', name: 'H', email };
    const browser = app.visitor();
    await signIn(browser);
    found.push(await browser.data('GET', self));
  }
  await set('EmailDomainRestrictionEnabled', 'false');
  expect(found).toMatchObject([{ email: '' }, { email: 'inside@gmail.com' }]);
});

test('one person who signs in for the first time in two browsers at once gets one account', async () => {
  const browsers = [app.visitor(), app.visitor(), app.visitor()];
  const replies = await Promise.all(browsers.map(signIn));
  expect(replies.map(({ json }) => json['success'])).toEqual([true, true, true]);
  expect(await rowsOf(nextId)).toHaveLength(1);
});

test('OAUTH-03 a signed-in user binds the account, and then signs in with it', async () => {
  const alice = await app.addUser('alice');
  const reply = await signIn(alice);
  expect(reply.json).toEqual({ success: true, message: 'bind' });
  expect(await alice.data('GET', self)).toMatchObject({ username: 'alice', github_id: `octo${nextId}` });
  expect((await signIn(alice)).json).toEqual({ success: true, message: 'bind' });
  expect((await signIn(app.visitor())).json['data']).toMatchObject({ id: alice.id, username: 'alice' });
});

test('OAUTH-04 an account that is bound elsewhere cannot be bound again', async () => {
  const bob = await app.addUser('bob');
  await signIn(bob);
  const carol = await app.addUser('carol');
  expect(messageOf(await signIn(carol))).toBe('This GitHub account is already bound');
  expect(await carol.data('GET', self)).toMatchObject({ github_id: '' });
  const chinese = app.visitor({ 'accept-language': 'zh-CN', cookie: carol.cookie });
  expect(messageOf(await chinese.call('GET', await goThere(carol)))).toBe('该 GitHub 账户已被绑定');
});

test('OAUTH-05 a state that is missing, wrong, too old or another browser’s is refused', async () => {
  const browser = app.visitor();
  const path = await goThere(browser);
  const [, code, state] = /code=(\w+)&state=([\w-]+)/.exec(path) ?? [];
  const other = app.visitor();
  await other.call('GET', '/api/oauth/state');
  const exchanged = host.requestCount('/login/oauth/access_token');
  const refusals: [Caller, string][] = [
    [browser, `/api/oauth/github?code=${code}`],
    [browser, `/api/oauth/github?code=${code}&state=`],
    [browser, `/api/oauth/github?code=${code}&state=x${state}`],
    [other, path],
    [app.visitor(), path],
  ];
  for (const [who, wrong] of refusals) {
    const reply = await who.call('GET', wrong);
    expect([reply.status, reply.json], wrong).toEqual([403, { success: false, message: mismatch }]);
  }
  expect(messageOf(await browser.call('GET', `/api/oauth/github?state=${state}`))).toBe('Invalid parameter');
  app.clock.advance(600_000);
  expect((await browser.call('GET', path)).status).toBe(403);
  expect(host.requestCount('/login/oauth/access_token')).toBe(exchanged);
  expect(await rowsOf(nextId)).toEqual([]);
});

test('OAUTH-05 a state of a signed-in user is refused after signing out, or after another sign-in', async () => {
  const dave = await app.addUser('dave');
  const path = await goThere(dave);
  await dave.call('GET', '/api/user/logout');
  expect((await dave.call('GET', path)).status).toBe(403);
  const anonymous = app.visitor();
  const begun = await goThere(anonymous);
  await anonymous.data('POST', '/api/user/login', { username: 'dave', password: testPassword });
  expect((await anonymous.call('GET', begun)).status).toBe(403);
});

test('OAUTH-05 a state is valid with one code only: with another one it is refused, and no other account is entered', async () => {
  const browser = app.visitor();
  const path = await goThere(browser);
  await browser.call('GET', path);
  const victimsCode = await authorize('another-state-of-a-victim');
  const state = /state=.*/.exec(path)?.[0];
  const replayed = await browser.call('GET', victimsCode.replace(/state=.*/, String(state)));
  expect(replayed.status).toBe(403);
});

test('OAUTH-02 a repeated callback gets the same answer for a minute, from the old session and the new one', async () => {
  const browser = app.visitor();
  const path = await goThere(browser);
  const before = browser.cookie;
  const exchanged = host.requestCount('/login/oauth/access_token');
  const first = await browser.call('GET', path);
  expect(first.json['success']).toBe(true);
  const withNew = await browser.call('GET', path);
  // The answer was lost: the browser never saw the cookie of the new session.
  const lost = app.visitor({ cookie: before });
  const withOld = await lost.call('GET', path);
  expect([withNew.json, withOld.json]).toEqual([first.json, first.json]);
  expect(withNew.headers.get('set-cookie')).toBeNull();
  const reopened = withOld.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  expect(await app.visitor({ cookie: reopened }).data('GET', self)).toMatchObject({ github_id: `octo${nextId}` });
  expect(host.requestCount('/login/oauth/access_token') - exchanged).toBe(1);
  expect(await rowsOf(nextId)).toHaveLength(1);
  app.clock.advance(61_000);
  expect((await browser.call('GET', path)).status).toBe(403);
  expect((await app.visitor({ cookie: before }).call('GET', path)).status).toBe(403);
});

test('OAUTH-02 callbacks of one sign-in that run at once exchange the code once and agree', async () => {
  const erin = await app.addUser('erin');
  const path = await goThere(erin);
  const exchanged = host.requestCount('/login/oauth/access_token');
  const replies = await Promise.all([1, 2, 3, 4].map(() => erin.call('GET', path)));
  for (const { json } of replies) expect(json).toEqual({ success: true, message: 'bind' });
  expect(host.requestCount('/login/oauth/access_token') - exchanged).toBe(1);
});

test('OAUTH-02 a refusal by the code host is returned, also on a repeat, without a second exchange', async () => {
  const browser = app.visitor();
  const { json } = await browser.call('GET', '/api/oauth/state');
  const path = `/api/oauth/github?code=made-up&state=${String(json['data'])}`;
  const exchanged = host.requestCount('/login/oauth/access_token');
  for (const _ of [1, 2]) {
    expect((await browser.call('GET', path)).json).toEqual({
      success: false,
      message: 'GitHub rejected the sign-in code (bad_verification_code). Sign in again',
    });
  }
  expect(host.requestCount('/login/oauth/access_token') - exchanged).toBe(1);
});

test('OPT-GitHubClientSecret a wrong secret is reported by the error name of the code host, and stays out of answer and log', async () => {
  await set('GitHubClientSecret', 'wrong-secret-canary');
  const reply = await signIn(app.visitor());
  await set('GitHubClientSecret', host.clientSecret);
  expect(messageOf(reply)).toBe('GitHub rejected the sign-in code (incorrect_client_credentials). Sign in again');
  expect(app.logged() + reply.text).not.toContain('canary');
});

test.each([
  [{ status: 502, body: 'Bad Gateway' }, 'Cannot reach the GitHub server, please retry later'],
  [{ status: 200, body: 'nonsense' }, 'GitHub rejected the sign-in code (unknown). Sign in again'],
  [{ status: 200, body: { error: 'x\ny' } }, 'GitHub rejected the sign-in code (unknown). Sign in again'],
  [{ status: 302, body: {} }, 'GitHub rejected the sign-in code (unknown). Sign in again'],
] as const)('a code host that answers %j is no reason for a server error', async (failure, message) => {
  host.failure = failure;
  const reply = await signIn(app.visitor());
  expect(reply.json).toEqual({ success: false, message });
});

test('an account without number or name is refused', async () => {
  host.codes.person = { id: 0, login: 'x', name: null, email: null };
  expect(messageOf(await signIn(app.visitor()))).toContain('The returned value is illegal');
  host.codes.person = { id: nextId, login: '', name: null, email: null };
  expect(messageOf(await signIn(app.visitor()))).toContain('The returned value is illegal');
});

test('OAUTH-07 a console that sends no challenge signs in all the same, at an Enterprise address', async () => {
  const browser = app.visitor();
  const { json } = await browser.call('GET', '/api/oauth/state');
  expect((await browser.call('GET', await authorize(String(json['data'])))).json['success']).toBe(true);
  expect(await app.visitor().data('GET', '/api/status')).toMatchObject({ github_url: host.url });
});

test('OPT-GitHubOAuthEnabled SET-13 while it is off no account signs in or is bound', async () => {
  const browser = app.visitor();
  const path = await goThere(browser);
  await set('GitHubOAuthEnabled', 'false');
  const refused = await browser.call('GET', path);
  expect(await app.visitor().data('GET', '/api/status')).toMatchObject({ github_oauth: false });
  await set('GitHubOAuthEnabled', 'true');
  expect(messageOf(refused)).toBe('The administrator has not enabled login and registration via GitHub');
  expect(await rowsOf(nextId)).toEqual([]);
});

test('sign-ins, registrations and bindings are in the audit log', async () => {
  const frank = await app.addUser('frank');
  await signIn(app.visitor());
  host.codes.person = { ...host.codes.person, id: nextId + 500_000 };
  await signIn(frank);
  const rows = await app.db.read.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(3).execute();
  const [row] = await rowsOf(nextId);
  expect(rows.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
    ['bind', `user ${frank.id}`, 'github'],
    ['login', `user ${row?.id}`, 'github'],
    ['register', `user ${row?.id}`, 'github'],
  ]);
});

test('another site cannot make a browser sign in or bind', async () => {
  const gina = await app.addUser('gina');
  const path = await goThere(gina);
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect((await gina.call('GET', path, { headers })).status).toBe(403);
  expect((await gina.call('GET', '/api/oauth/state', { headers })).status).toBe(403);
  expect(await gina.data('GET', self)).toMatchObject({ github_id: '' });
});
