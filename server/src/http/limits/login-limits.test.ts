import { expect, test } from 'vitest';
import { buildTestApp, type TestApp, type TestAppOptions, testPassword } from '../../../test/app/app.ts';
import { setUser } from '../../../test/database/accounts.ts';

const login = '/api/user/login';

const withApp = async (options: TestAppOptions, run: (app: TestApp) => Promise<void>): Promise<void> => {
  const app = await buildTestApp({ frozen: true, ...options });
  try {
    await run(app);
  } finally {
    await app.close();
  }
};

const attempt = async (app: TestApp, username: string, { password = 'wrong password', headers = {} } = {}) =>
  (await app.visitor(headers).call('POST', login, { body: { username, password } })).status;

const attempts = (app: TestApp, username: string, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => attempt(app, username)));

const looked = (statuses: readonly number[]): number => statuses.filter((status) => status === 200).length;

test('AUTH-11 of guesses made at once ten are looked at, then the account waits, its owner included', async () =>
  withApp({}, async (app) => {
    await app.addUser('owner');
    const statuses = await attempts(app, 'owner', 40);
    expect(looked(statuses)).toBe(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect(await attempt(app, 'owner', { password: testPassword })).toBe(429);
    app.clock.advance(3000);
    expect(await attempt(app, 'owner', { password: testPassword })).toBe(200);
    expect(looked(await attempts(app, 'owner', 15))).toBe(10);
  }));

test('AUTH-11 a refused guess has no body, and asks in vain under the e-mail address too', async () =>
  withApp({}, async (app) => {
    const owner = await app.addUser('owner');
    await setUser(app.db, owner.id, { email: 'owner@example.com' });
    await attempts(app, 'owner', 10);
    const reply = await app.visitor().call('POST', login, { body: { username: 'owner@example.com', password: 'x' } });
    expect(reply.status).toBe(429);
    expect(reply.text).toBe('');
  }));

test('AUTH-11 made-up names are slowed down like real ones, and never unlock a locked account', async () =>
  withApp({}, async (app) => {
    await app.addUser('owner');
    expect(looked(await attempts(app, 'unknown', 15))).toBe(10);
    await attempts(app, 'owner', 10);
    for (let name = 0; name < 10; name += 1) await attempt(app, `made-up ${name}`);
    expect(await attempt(app, 'owner')).toBe(429);
  }));

test('AUTH-11 ten wrong guesses from one network make it wait, whatever addresses it writes in front', async () =>
  withApp({ trustedProxies: ['127.0.0.1'] }, async (app) => {
    const from = (last: number) => ({ headers: { 'x-forwarded-for': `10.9.8.${last}, 203.0.113.${last}` } });
    for (let guess = 0; guess < 10; guess += 1) await attempt(app, 'unknown', from(guess));
    expect(await attempt(app, 'another name', from(99))).toBe(429);
    expect(await attempt(app, 'root', { password: testPassword, ...from(99) })).toBe(429);
    expect(await attempt(app, 'another name', { headers: { 'x-forwarded-for': '203.0.114.1' } })).toBe(200);
    app.clock.advance(60_000);
    expect(await attempt(app, 'root', { password: testPassword, ...from(99) })).toBe(200);
  }));

test('AUTH-11 a network without failed sign-ins never waits', async () =>
  withApp({ trustedProxies: ['127.0.0.1'] }, async (app) => {
    const headers = { 'x-forwarded-for': '2001:db8:1:2:3::4' };
    for (let time = 0; time < 31; time += 1) {
      expect(await attempt(app, 'root', { password: testPassword, headers })).toBe(200);
    }
  }));

test('AUTH-11 a private peer that no setting names may be a proxy: it is not made to wait for its users', async () =>
  withApp({}, async (app) => {
    for (let guess = 0; guess < 35; guess += 1) await attempt(app, 'unknown');
    expect(await attempt(app, 'another name')).toBe(200);
  }));

test('S14 guesses from many networks keep the right password from a new browser waiting for a minute at most', async () =>
  withApp({ trustedProxies: ['127.0.0.1'] }, async (app) => {
    await app.addUser('owner');
    const from = (network: number) => ({ headers: { 'x-forwarded-for': `203.0.${network}.7` } });
    const right = { password: testPassword };
    const guessFrom = async (networks: readonly number[], times: number) => {
      for (let time = 0; time < times; time += 1)
        for (const network of networks) await attempt(app, 'owner', from(network));
    };
    const ten = Array.from({ length: 10 }, (_, index) => index);
    await guessFrom(ten, 10);
    expect(await attempt(app, 'owner', { ...right, ...from(100) })).toBe(200);
    // A network of the guesses waits, and not for longer than a minute, however often it guesses.
    expect(await attempt(app, 'owner', { ...right, ...from(0) })).toBe(429);
    for (let minute = 0; minute < 15; minute += 1) {
      app.clock.advance(60_000);
      await guessFrom(ten, 3);
      expect(await attempt(app, 'owner', { ...right, ...from(101 + minute) }), `minute ${minute}`).toBe(200);
    }
    app.clock.advance(60_000);
    expect(await attempt(app, 'owner', { ...right, ...from(0) })).toBe(200);
  }));

test('S14 of guesses at one account from many networks each network gets two, then one a minute', async () =>
  withApp({ trustedProxies: ['127.0.0.1'] }, async (app) => {
    await app.addUser('owner');
    const guess = (network: number) => attempt(app, 'owner', { headers: { 'x-forwarded-for': `198.51.${network}.7` } });
    for (let network = 0; network < 100; network += 1) expect(await guess(network)).toBe(200);
    const late = async () => [await guess(200), await guess(200), await guess(200), await guess(200)];
    expect(await late()).toEqual([200, 200, 429, 429]);
    app.clock.advance(60_000);
    expect(await late()).toEqual([200, 429, 429, 429]);
  }));

test('S25 access tokens that no user has are counted by network; a valid one is not', async () =>
  withApp({ trustedProxies: ['127.0.0.1'], initialRootAccessToken: 'r'.repeat(32) }, async (app) => {
    const ask = async (token: string, network = '203.0.113.5') => {
      const headers = { authorization: token, 'x-forwarded-for': network };
      return (await app.visitor(headers).call('GET', '/api/user/self')).status;
    };
    for (let guess = 0; guess < 60; guess += 1) expect(await ask(`wrong token ${guess}`)).toBe(200);
    expect(await ask('wrong token 60')).toBe(429);
    expect(await ask('wrong token 61', '198.51.100.5')).toBe(200);
    expect(await ask('r'.repeat(32))).toBe(200);
    app.clock.advance(60_000);
    expect(await ask('wrong token 62')).toBe(200);
  }));

const deviceOf = async (app: TestApp, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const body = { username: 'owner', password: testPassword };
  const reply = await app.visitor(headers).call('POST', login, { body });
  const [device = ''] = reply.headers.getSetCookie().filter((cookie) => /^(?:__Host-)?device=/.test(cookie));
  return device;
};
const cookieIn = (setCookie: string): string => setCookie.split(';', 1)[0] ?? '';

test('AUTH-11 guesses from elsewhere do not keep the owner out of a browser that signed in before', async () =>
  withApp({}, async (app) => {
    await app.addUser('owner');
    const device = await deviceOf(app);
    expect(device).toMatch(/^device=[\w-]{22}\.[0-9a-f]{64}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
    const known = { headers: { cookie: cookieIn(device) } };
    await attempts(app, 'owner', 40);
    expect(await attempt(app, 'owner', { password: testPassword })).toBe(429);
    expect(await attempt(app, 'owner', { password: testPassword, ...known })).toBe(200);
    expect(await attempt(app, 'owner', { password: testPassword })).toBe(429);
    const guesses = await Promise.all(Array.from({ length: 15 }, () => attempt(app, 'owner', known)));
    expect(looked(guesses)).toBe(10);
  }));

test('AUTH-11 the cookie of a known browser is refused for another account, or if altered or forged', async () =>
  withApp({}, async (app) => {
    await app.addUser('owner');
    await app.addUser('victim');
    const cookie = cookieIn(await deviceOf(app));
    await attempts(app, 'victim', 10);
    await attempts(app, 'owner', 10);
    for (const [username, text] of [
      ['victim', cookie],
      ['owner', cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
      ['owner', cookie.replace(/=./, (first) => (first === '=A' ? '=B' : '=A'))],
      ['owner', `device=${'A'.repeat(22)}.${'0'.repeat(64)}`],
      ['owner', 'device='],
    ] as const) {
      const headers = { cookie: text };
      expect(await attempt(app, username, { password: testPassword, headers }), `${username} ${text}`).toBe(429);
    }
  }));

test('AUTH-11 a network that waits does not keep its known browsers out, and over https their cookie is bound to it', async () =>
  withApp({ trustedProxies: ['127.0.0.1'] }, async (app) => {
    await app.addUser('owner');
    const from = { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'https' };
    const device = await deviceOf(app, from);
    expect(device).toMatch(/^__Host-device=.*; HttpOnly; Secure; SameSite=Lax$/);
    for (let guess = 0; guess < 10; guess += 1) await attempt(app, 'unknown', { headers: from });
    const right = { password: testPassword };
    expect(await attempt(app, 'owner', { ...right, headers: from })).toBe(429);
    expect(await attempt(app, 'owner', { ...right, headers: { ...from, cookie: cookieIn(device) } })).toBe(200);
  }));
