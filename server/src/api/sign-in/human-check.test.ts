import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { startTurnstileServer, type TurnstileServer } from '../../../test/fakes/services/turnstile-server.ts';

let turnstile: TurnstileServer;
let app: TestApp;
let root: TestUser;
beforeAll(async () => {
  turnstile = await startTurnstileServer();
  app = await buildTestApp({ turnstileUrl: turnstile.url });
  root = await app.root();
});
afterAll(async () => {
  await app.close();
  await turnstile.close();
});

const set = (key: string, value: string) => root.data('PUT', '/api/option/', { key, value });
let names = 0;
const register = (caller: Caller, token?: string) => {
  const body = { username: `human${(names += 1)}`, password: 'a long enough password' };
  return caller.call('POST', `/api/user/register${token === undefined ? '' : `?turnstile=${token}`}`, { body });
};
const messageOf = async (reply: ReturnType<typeof register>): Promise<unknown> => (await reply).json['message'];
const failed = 'Turnstile check failed, please refresh and retry';

test('SET-13 OPT-TurnstileSiteKey OPT-TurnstileSecretKey the check cannot be switched on without both keys', async () => {
  const refusal = 'Cannot enable Turnstile check, please fill in its configuration first';
  const on = { key: 'TurnstileCheckEnabled', value: 'true' };
  expect(await root.refused('PUT', '/api/option/', on)).toBe(refusal);
  await set('TurnstileSiteKey', turnstile.siteKey);
  expect(await root.refused('PUT', '/api/option/', on)).toBe(refusal);
  await set('TurnstileSecretKey', turnstile.secretKey);
  expect((await register(app.visitor())).json).toEqual({ success: true, message: '' });
  expect(turnstile.requestCount('/turnstile/v0/siteverify')).toBe(0);
  await set('TurnstileCheckEnabled', 'true');
  const status = await app.visitor().data('GET', '/api/status');
  expect(status).toMatchObject({
    turnstile_check: true,
    turnstile_site_key: turnstile.siteKey,
    turnstile_url: turnstile.url,
  });
  expect(JSON.stringify([status, await root.data('GET', '/api/option/')])).not.toContain(turnstile.secretKey);
});

test('REG-06 OPT-TurnstileCheckEnabled without a solution nothing is registered and no mail is sent', async () => {
  expect(await messageOf(register(app.visitor()))).toBe('Turnstile token is empty');
  expect(await messageOf(register(app.visitor(), 'made-up'))).toBe(failed);
  expect(await app.visitor().refused('GET', '/api/verification?email=a@example.com')).toBe('Turnstile token is empty');
  expect(await app.visitor().refused('GET', '/api/reset_password?email=a@example.com&turnstile=')).toBe(
    'Turnstile token is empty',
  );
  expect(await app.visitor({ 'accept-language': 'zh-CN' }).refused('GET', '/api/reset_password?email=a@b.cc')).toBe(
    'Turnstile token 为空',
  );
  expect(turnstile.faults()).toEqual([]);
});

test('REG-06 one solution is verified once, and serves its session for more than one call', async () => {
  const visitor = app.visitor();
  const before = turnstile.requestCount('/turnstile/v0/siteverify');
  const token = turnstile.solve('localhost');
  expect((await register(visitor, token)).json).toEqual({ success: true, message: '' });
  expect(visitor.cookie).toMatch(/^session=/);
  expect((await register(visitor)).json).toEqual({ success: true, message: '' });
  expect(turnstile.requestCount('/turnstile/v0/siteverify')).toBe(before + 1);
  expect(await messageOf(register(app.visitor(), token))).toBe(failed);
  expect(turnstile.faults()).toEqual([]);
});

test('REG-06 a session that solved nothing is not helped by one that did', async () => {
  const other = await app.addUser('other');
  expect(await messageOf(register(other))).toBe('Turnstile token is empty');
  expect((await register(other, turnstile.solve('localhost'))).json['success']).toBe(true);
  expect(await other.data('GET', '/api/user/self')).toMatchObject({ username: 'other' });
});

test('a solution of another site is refused, once the address of this one is known', async () => {
  await set('ServerAddress', 'https://weir.example');
  expect(await messageOf(register(app.visitor(), turnstile.solve('elsewhere.example')))).toBe(failed);
  expect((await register(app.visitor(), turnstile.solve('weir.example'))).json['success']).toBe(true);
  await set('ServerAddress', '');
});

test('with a wrong secret, or while the service does not answer, every call is refused', async () => {
  await set('TurnstileSecretKey', 'wrong-secret-canary');
  expect(await messageOf(register(app.visitor(), turnstile.solve('localhost')))).toBe(
    'The Turnstile server is not responding. Try again later',
  );
  expect(turnstile.faults()).toEqual(['POST /turnstile/v0/siteverify: wrong secret']);
  expect(app.logged()).not.toContain('canary');
});

test('the policy of the page allows the widget only while the option is on', async () => {
  const policy = async () => (await app.visitor().call('GET', '/api/status')).headers.get('content-security-policy');
  const directives = async () => (await policy())?.split(';').filter((part) => part.includes(turnstile.url));
  expect(await directives()).toEqual([expect.stringMatching(/^script-src /), expect.stringMatching(/^frame-src /)]);
  await set('TurnstileCheckEnabled', 'false');
  expect(await directives()).toEqual([]);
});
