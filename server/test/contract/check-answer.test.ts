import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, createCaller, type TestApp } from '../app/app.ts';
import { openClient } from '../clients/management-client.ts';
import { isJson, type Json } from '../parsing/json.ts';
import { endpointAt } from './endpoints.ts';

let app: TestApp;
let token: Json;
const ending = new AsyncDisposableStack();
/** A server that gives `answer` to every call. */
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(answer);
});
let answer = '';
let url = '';

beforeAll(async () => {
  app = await buildTestApp();
  ending.defer(app.close);
  const made = await (await app.root()).data('POST', '/api/token/', { name: 'key', unlimited_quota: true });
  if (!isJson(made)) throw new Error('no token');
  token = made;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => ending.disposeAsync());

const tokens = 'GET /api/token/?p=0';
const success = (data: unknown, extra: object = {}) => ({ success: true, message: '', data, ...extra });

const wrongAnswers: readonly (readonly [fault: string, call: string, body: () => unknown])[] = [
  ['data.0.id: Invalid type: Expected number but received "1"', tokens, () => success([{ ...token, id: '1' }])],
  ['data.1.name: Invalid key: Expected "name"', tokens, () => success([token, { ...token, name: undefined }])],
  ['data.0.password_hash: not declared', tokens, () => success([{ ...token, password_hash: 'x' }])],
  ['data: Invalid type: Expected Array but received undefined', tokens, () => ({ success: true, message: '' })],
  ['total: not declared', tokens, () => success([], { total: 1 })],
  ['has no envelope', tokens, () => ({ data: [] })],
  ['is no JSON object', tokens, () => [token]],
  ['data: not declared', 'GET /api/user/logout', () => success(1)],
  ['data: present in a refusal', 'GET /api/token/1', () => ({ success: false, message: 'no', data: token })],
  ['message: a refusal gives no reason', 'GET /api/token/1', () => ({ success: false, message: '' })],
  ['answer.data: Invalid type', 'GET /api/channel/models', () => ({ object: 'list', data: 1 })],
  [
    'extra.time: Invalid type',
    'GET /api/channel/test/7',
    () => ({ success: true, message: '', time: '1', modelName: 'x' }),
  ],
  ['contains internal details', tokens, () => ({ success: false, message: 'SQLITE_BUSY: database is locked' })],
];

test.each(wrongAnswers)('K10 both clients of the tests report a wrong answer: %s', async (fault, call, body) => {
  answer = JSON.stringify(body());
  const [method = '', path = ''] = call.split(' ');
  const message = `${method} ${path}: the answer does not fit the contract: ${fault}`;
  await expect(openClient(url).call(method, path)).rejects.toThrow(message);
  await expect(createCaller(url).call(method, path)).rejects.toThrow(message);
});

test('K10 both clients accept the answer that the server gives', async () => {
  answer = JSON.stringify(success([token]));
  expect(await openClient(url).call('GET', '/api/token/?p=0')).toEqual([token]);
  expect(await createCaller(url).data('GET', '/api/token?p=0')).toEqual([token]);
});

test.each([
  ['GET', '/api/token', '/api/token/'],
  ['GET', '/api/token/?p=1', '/api/token/'],
  ['GET', '/api/token/12/', '/api/token/:id'],
  ['GET', '/api/channel/test', '/api/channel/test'],
  ['GET', '/api/channel/test/5?model=a/b', '/api/channel/test/:id'],
  ['GET', '/api/channel/5/health', '/api/channel/:id/health'],
  ['PATCH', '/api/token/', undefined],
  ['GET', '/v1/models', undefined],
])('K10 an answer to %s %s is compared with the declaration of %s', (method, address, path) => {
  expect(endpointAt(method, address)?.path).toBe(path);
});
