import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getChannel, testChannel } from '@weir/contract/channels';
import { listCatalogueModels } from '@weir/contract/models';
import { createToken, listTokens, updateToken } from '@weir/contract/tokens';
import { login } from '@weir/contract/users';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type * as CallModule from './call.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly language: string | undefined;
  readonly body: string;
}

let server: Server;
let lib: typeof CallModule;
let seen: Seen[] = [];
let answer: { status: number; body: string } = { status: 200, body: '' };
const visited: string[] = [];

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push({ method: request.method, url: request.url, language: request.headers['accept-language'], body });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a TCP server has an address with a port
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('VITE_SERVER', `http://127.0.0.1:${port}`);
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { pathname: '/token', search: '?p=2', assign: (path: string) => visited.push(path) });
  lib = await import('./call.ts');
});
afterAll(() => server.close());
beforeEach(() => {
  seen = [];
  visited.length = 0;
});

const answers = (status: number, body: unknown): void => {
  answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
};

test('SHELL-21 sends a call to the address and with the method of its endpoint', async () => {
  answers(200, { success: true, message: '', data: [] });
  expect(await lib.call(listTokens, { query: { p: 2, order: 'used_quota' } })).toEqual([]);
  expect(seen).toEqual([{ method: 'GET', url: '/api/token/?p=2&order=used_quota', language: 'en', body: '' }]);
});

test('puts parameters into the path and members into the body', async () => {
  answers(200, { success: true, message: '', data: {} });
  await lib.call(getChannel, { params: { id: 7 } });
  await lib.call(updateToken, { query: { status_only: 'true' }, body: { id: 3, status: 2 } });
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', '/api/channel/7', ''],
    ['PUT', '/api/token/?status_only=true', '{"id":3,"status":2}'],
  ]);
});

test('returns the members beside data of a whole answer, and the bare form as data', async () => {
  answers(200, { success: true, message: 'gpt-4o', time: 0.842, modelName: 'gpt-4o' });
  expect(await lib.callWhole(testChannel, { params: { id: 1 } })).toMatchObject({ time: 0.842, message: 'gpt-4o' });
  answers(200, { object: 'list', data: [{ id: 'gpt-4o' }] });
  expect(await lib.call(listCatalogueModels)).toEqual({ object: 'list', data: [{ id: 'gpt-4o' }] });
});

test('ERR-02 throws the message of a refusal', async () => {
  answers(200, { success: false, message: 'token name too long' });
  const body = { name: 'x' };
  await expect(lib.call(createToken, { body })).rejects.toMatchObject({
    kind: 'refused',
    message: 'token name too long',
  });
});

test.each([
  [429, '', 'HTTP 429'],
  [500, 'not json', 'HTTP 500'],
  [403, '{"success":false,"message":"from another site"}', 'from another site'],
  [404, '{"error":{"message":"Invalid URL"}}', 'HTTP 404'],
])('ERR-01 throws status and message of an HTTP %i', async (status, body, message) => {
  answers(status, body);
  await expect(lib.call(listTokens)).rejects.toMatchObject({ kind: 'http', status, message });
});

test('SHELL-04 opens the sign-in screen when a session has ended', async () => {
  answers(401, { success: false, message: 'not signed in' });
  await expect(lib.call(listTokens)).rejects.toMatchObject({ kind: 'http', status: 401 });
  expect(visited).toEqual(['/login?expired=true']);
});

test('a wrong password does not end the session', async () => {
  answers(401, { success: false, message: 'who?' });
  await expect(lib.call(login, { body: { username: 'a', password: 'b' } })).rejects.toMatchObject({ status: 401 });
  expect(visited).toEqual([]);
});

test('an answer that is no JSON object is a failure, not data', async () => {
  answers(200, '<html>');
  await expect(lib.call(listTokens)).rejects.toMatchObject({ kind: 'http', status: 200 });
});

test('uses a request that the head script sent, once', async () => {
  const early = { '/api/token/?p=0': Promise.resolve(new Response('{"success":true,"message":"","data":[{"id":1}]}')) };
  const base = `${lib.addressOf(listTokens, { query: {} }).split('/api')[0]}`;
  window.weirEarly = { [`${base}/api/token/?p=0`]: early['/api/token/?p=0'] };
  answers(200, { success: true, message: '', data: [] });
  expect(await lib.call(listTokens, { query: { p: 0 } })).toEqual([{ id: 1 }]);
  expect(await lib.call(listTokens, { query: { p: 0 } })).toEqual([]);
  expect(seen).toHaveLength(1);
});

test('reports that the server cannot be reached', async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(lib.call(listTokens)).rejects.toMatchObject({ kind: 'unreachable' });
});
