import { Agent, request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../test/app.ts';
import { parseObject } from '../../test/json.ts';
import { responseTo } from '../../test/response-to.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

interface Upload {
  readonly agent: Agent;
  readonly headers?: Readonly<Record<string, string>>;
  readonly megabytes: number;
  readonly path?: string;
}

/** Sends a body whole, whatever is answered meanwhile; resolves to the answer. */
const upload = async ({ agent, headers = {}, megabytes, path = '/api/user/login' }: Upload) => {
  const call = request(`${app.url}${path}`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answer = responseTo(call);
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  Readable.from(Array.from({ length: megabytes }, () => chunk)).pipe(call);
  return { ...(await answer), reused: call.reusedSocket };
};

test('API-04 a body of 50 MB is refused with 413 in clear words, and its connection goes on', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const megabytes = 50;
  const length = String(megabytes * 1024 * 1024);
  for (const headers of [{ 'content-length': length }, { 'transfer-encoding': 'chunked', 'accept-language': 'zh' }]) {
    const { status, text } = await upload({ agent, headers, megabytes });
    expect(status).toBe(413);
    const message = 'accept-language' in headers ? '请求体过大' : 'The request body is too large';
    expect(parseObject(text)).toEqual({ success: false, message });
  }
  const small = await upload({ agent, megabytes: 0 });
  expect([small.status, small.reused]).toEqual([200, true]);
  agent.destroy();
});

test('API-04 whoever is not signed in is told so before the body is read', async () => {
  const agent = new Agent();
  const { status } = await upload({
    agent,
    megabytes: 50,
    path: '/api/token/',
    headers: { 'transfer-encoding': 'chunked' },
  });
  expect(status).toBe(401);
  agent.destroy();
});

test('a head that is too large or broken is refused, and the gateway goes on', async () => {
  const big = await app.visitor({ 'x-big': 'x'.repeat(20_000) }).call('GET', '/api/status');
  expect(big.status).toBe(431);
  await app.visitor().data('GET', '/api/status');
});

test('more calls in a minute than one caller may make are refused with 429 and no body', async () => {
  await using stack = new AsyncDisposableStack();
  const strict = await buildTestApp({ callsPerMinute: 5 });
  stack.defer(strict.close);
  const alice = await strict.addUser('alice');
  const bob = await strict.addUser('bob');
  const self = (who: typeof alice) => who.call('GET', '/api/user/self');
  const statuses: number[] = [];
  for (let call = 0; call < 6; call += 1) statuses.push((await self(alice)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  const refused = await self(alice);
  expect([refused.text, refused.headers.has('retry-after')]).toEqual(['', true]);
  expect((await self(bob)).status).toBe(200);
});

test('calls without a caller are counted by network, where the network is known', async () => {
  await using stack = new AsyncDisposableStack();
  const strict = await buildTestApp({ callsPerMinute: 3, trustedProxies: ['127.0.0.1'] });
  stack.defer(strict.close);
  const status = async (address: string) =>
    (await strict.visitor({ 'x-forwarded-for': address }).call('GET', '/api/status')).status;
  for (const last of [1, 2, 3]) expect(await status(`203.0.113.${last}`)).toBe(200);
  expect(await status('203.0.113.4')).toBe(429);
  expect(await status('203.0.114.4')).toBe(200);
  for (let call = 0; call < 5; call += 1) expect((await strict.visitor().call('GET', '/api/status')).status).toBe(200);
});
