import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../../test/app/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

/** A connection that sends the given text and returns what it received. */
const connectTo = async (url: string) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  return {
    get received() {
      return received;
    },
    get isOpen() {
      return !socket.destroyed && socket.writable;
    },
    /** Resolves once the other side took it, or the connection ended. */
    send: async (text: string | Buffer): Promise<void> => {
      if (!socket.write(text)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    },
    end: () => socket.destroy(),
  };
};

const megabyte = Buffer.alloc(1024 * 1024, 'x');
const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]);
const head = (path: string, ...fields: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'host: weir', 'content-type: application/json', ...fields, '', ''].join('\r\n');
const login = '/api/user/login';

test.each([
  ['said beforehand', [`content-length: ${50 * 1024 * 1024}`], megabyte, '', 'The request body is too large'],
  ['found out', ['transfer-encoding: chunked', 'accept-language: zh'], chunk, '0\r\n\r\n', '请求体过大'],
])(
  'API-04 a body of 50 MB, %s, gets 413 in clear words, and its connection goes on',
  async (_, fields, part, end, words) => {
    const connection = await connectTo(app.url);
    await connection.send(head(login, ...fields));
    for (let sent = 0; sent < 50; sent += 1) await connection.send(part);
    await connection.send(end);
    await expect.poll(() => connection.received).toContain(`{"success":false,"message":"${words}"}`);
    expect(connection.received).toMatch(/^HTTP\/1\.1 413 /);
    await connection.send('GET /api/notice HTTP/1.1\r\nhost: weir\r\n\r\n');
    await expect.poll(() => connection.received).toContain('HTTP/1.1 200 OK');
    connection.end();
  },
);

test('S15 a public endpoint reads no more than a form of some kilobytes', async () => {
  const nested = `{"username":"root","password":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const refused = await app.visitor().call('POST', login, { body: nested });
  expect(refused.status).toBe(413);
  const root = await app.root();
  await root.data('PUT', '/api/option/', { key: 'Notice', value: 'x'.repeat(20_000) });
});

test('a body that does not end is cut off', async () => {
  const connection = await connectTo(app.url);
  await connection.send(head(login, 'transfer-encoding: chunked'));
  let sent = 0;
  for (; sent < 512 && connection.isOpen; sent += 1) await connection.send(chunk);
  expect(connection.received).toMatch(/^HTTP\/1\.1 413 /);
  expect(sent).toBeLessThan(512);
  await app.visitor().data('GET', '/api/status');
});

test('API-04 a caller who is not signed in gets 401 before the body is read', async () => {
  const connection = await connectTo(app.url);
  await connection.send(head('/api/token/', 'content-length: 1000000'));
  await expect.poll(() => connection.received).toMatch(/^HTTP\/1\.1 401 /);
  connection.end();
});

test('a head that is too large or broken is refused, and the gateway keeps running', async () => {
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
  for (const last of ['1', 'ffff:0:9', '3']) expect(await status(`2001:db8:1:2::${last}`)).toBe(200);
  expect(await status('2001:db8:1:2:3:4:5:6')).toBe(429);
  expect(await status('2001:db8:1:3::1')).toBe(200);
  for (let call = 0; call < 5; call += 1) expect((await strict.visitor().call('GET', '/api/status')).status).toBe(200);
});
