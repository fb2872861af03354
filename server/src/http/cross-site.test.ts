import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../test/app/app.ts';
import { responseTo } from '../../test/clients/response-to.ts';

type Headers = Readonly<Record<string, string>>;

let app: TestApp;
let host: string;
beforeAll(async () => {
  app = await buildTestApp({ trustedProxies: ['127.0.0.2'] });
  ({ host } = new URL(app.url));
  const root = await app.root();
  await root.data('PUT', '/api/option/', { key: 'ServerAddress', value: 'https://weir.example' });
});
afterAll(() => app.close());

/** Sends these headers and no others; `from` is the loopback address that the server sees. */
const send = async (method: string, path: string, headers: Headers, from = '127.0.0.1'): Promise<number> => {
  const call = request(`${app.url}${path}`, { method, headers: { ...headers }, localAddress: from, agent: false });
  call.end(method === 'POST' ? '{"name":"cross-site"}' : undefined);
  return (await responseTo(call)).status;
};

let users = 0;
/** The cookie of a fresh session, and whether it still is one. */
const openSession = async () => {
  users += 1;
  const { cookie, id } = await app.addUser(`user${users}`);
  return { cookie, id, isAlive: async () => (await send('GET', '/api/user/self', { cookie })) === 200 };
};

const logout = '/api/user/logout';
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** Whether a GET with effects is done when it is sent with a session's cookie and these headers. */
const isDone = async (headers: () => Headers, { method = 'GET', from = '127.0.0.1' } = {}): Promise<boolean> => {
  const session = await openSession();
  await send(method, logout, { cookie: session.cookie, ...headers() }, from);
  return !(await session.isAlive());
};

test.each<[string, () => Headers]>([
  ['by its page', () => ({ ...sameOrigin, 'sec-fetch-mode': 'cors' })],
  ['by its page, says Origin', () => ({ origin: `http://${host}` })],
  ['by its page, says Referer', () => ({ referer: `http://${host}/setting?tab=1` })],
  ['by the configured server address', () => ({ origin: 'https://weir.example' })],
])('a GET with effects that a browser was made to send %s is done', async (_, headers) => {
  expect(await isDone(headers)).toBe(true);
});

test.each<[string, () => Headers]>([
  ['another site', () => ({ 'sec-fetch-site': 'cross-site', origin: `http://${host}` })],
  ['another host of the site', () => ({ 'sec-fetch-site': 'same-site' })],
  ['the address bar', () => ({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })],
  ['a link of its own page', () => ({ ...sameOrigin, 'sec-fetch-mode': 'navigate' })],
  ['a prefetch', () => ({ ...sameOrigin, 'sec-fetch-mode': 'no-cors', 'sec-purpose': 'prefetch' })],
  ['a prerender', () => ({ ...sameOrigin, 'sec-purpose': 'prefetch;prerender' })],
  ['an older prefetch', () => ({ origin: `http://${host}`, purpose: 'prefetch' })],
  ['another Origin', () => ({ origin: 'https://evil.example' })],
  ['another Referer', () => ({ referer: 'https://evil.example/weir.example' })],
  ['an Origin whose name begins like ours', () => ({ origin: `http://${host}.evil.example` })],
  ['an Origin that is hidden', () => ({ origin: 'null' })],
  ['an Origin of another port', () => ({ origin: 'http://127.0.0.1:1' })],
  ['a browser that says nothing else', () => ({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' })],
  ['a browser that says only how', () => ({ 'user-agent': 'curl/8.5.0', 'sec-fetch-mode': 'no-cors' })],
  [
    'a forwarded host of a proxy that is not trusted',
    () => ({ origin: 'https://public.example', 'x-forwarded-host': 'public.example' }),
  ],
])('a GET with effects that comes by %s is refused', async (_, headers) => {
  expect(await isDone(headers)).toBe(false);
});

test.each<[string, Headers]>([
  ['curl', { 'user-agent': 'curl/8.5.0', accept: '*/*' }],
  ['a library', { 'user-agent': 'python-requests/2.32.3' }],
  ['a program without a name', {}],
])('W1 a GET with effects that %s sends with its cookie is done', async (_, headers) => {
  expect(await isDone(() => headers)).toBe(true);
});

test('W1 the refusal says what a script sends instead', async () => {
  const { cookie } = await openSession();
  const answer = await fetch(`${app.url}${logout}`, { headers: { cookie, 'user-agent': 'Mozilla/5.0' } });
  expect(await answer.text()).toContain('access token');
});

test('HEAD has no effects', async () => {
  expect(await isDone(() => sameOrigin, { method: 'HEAD' })).toBe(false);
});

test('the forwarded host of a trusted proxy counts as ours', async () => {
  const headers = () => ({ origin: 'https://public.example', 'x-forwarded-host': 'public.example' });
  expect(await isDone(headers, { from: '127.0.0.2' })).toBe(true);
});

test('API-02 a program that sends no origin may post with its cookie', async () => {
  const { cookie } = await openSession();
  expect(await send('POST', '/api/token/', { cookie, 'content-type': 'application/json' })).toBe(200);
  expect(await send('POST', '/api/token/', { cookie, origin: 'https://evil.example' })).toBe(403);
});

test('API-02 the origin of a call with an access token and no cookie is never checked', async () => {
  const alice = await app.addUser('program');
  const authorization = String(await alice.data('GET', '/api/user/token'));
  expect(await send('GET', '/api/user/token', { authorization, origin: 'https://tool.example' })).toBe(200);
});

test('a call without effects is answered from links of any site', async () => {
  const { cookie } = await openSession();
  const headers = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect(await send('GET', '/api/user/self', headers)).toBe(200);
});
