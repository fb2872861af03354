import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testModel, type RelayApp } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';
import { type RawAnswer, type RawRequest, sendRaw } from '../../../test/clients/raw-client.ts';
import { isJson } from '../../../test/parsing/json.ts';

let relay: RelayApp;
let user: RelayUser;
let upstream: Server;
/** What the upstream answers next. */
let next: { readonly headers: OutgoingHttpHeaders; readonly body: string };

const script = '<script>fetch("/api/user/token")</script>';
const gemini = JSON.stringify({
  candidates: [{ content: { role: 'model', parts: [{ text: script }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});
const actions = {
  location: 'https://elsewhere.example/',
  refresh: '0;url=https://elsewhere.example/',
  'clear-site-data': '"*"',
  'strict-transport-security': 'max-age=31536000',
  'set-cookie': 'session=theirs',
  'content-security-policy': "default-src 'unsafe-inline'",
  'service-worker-allowed': '/',
  'x-accel-redirect': '/internal/',
};

let proxy = 0;

beforeAll(async () => {
  relay = await buildRelayApp();
  upstream = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, next.headers).end(next.body));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const address = upstream.address();
  const base_url = isJson(address) ? `http://127.0.0.1:${String(address['port'])}` : '';
  await relay.addChannel({ type: 24, base_url, models: 'gemini-hostile' });
  await relay.addChannel({ type: 8, base_url, models: `${testModel},speech-hostile` });
  proxy = await relay.addChannel({ type: 43, base_url, models: 'any' });
  user = await relay.addUser();
});
afterAll(async () => {
  await relay.close();
  upstream.closeAllConnections();
  upstream.close();
});

const send = (path: string, rest: Partial<RawRequest> = {}): Promise<RawAnswer> =>
  sendRaw({
    url: relay.url,
    path,
    ...rest,
    headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json', ...rest.headers },
  });

const inert = { 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" };
/** The other ones never reach a client. */
const dropped = Object.keys(actions).filter((name) => !(name in inert));
const native = '/v1beta/models/gemini-hostile:generateContent';
const prompt = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });

test('S1 an upstream cannot give its answer the type of a page', async () => {
  for (const type of ['text/html', 'application/xhtml+xml', 'image/svg+xml', 'text/xml; x=application/json', '']) {
    next = { headers: { ...actions, ...(type !== '' && { 'content-type': type }) }, body: gemini };
    const answer = await send(native, { body: prompt });
    expect(answer.text).toContain('<script>');
    expect(answer).toMatchObject({
      status: 200,
      headers: { ...inert, 'content-type': 'application/json; charset=utf-8' },
    });
    for (const name of dropped) expect(answer.headers).not.toHaveProperty(name);
  }
});

test('S1 a stream that claims to be a page reaches the client as events', async () => {
  const event = `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(script)}},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\n`;
  next = { headers: { ...actions, 'content-type': 'text/html' }, body: `${event}data: [DONE]\n\n` };
  const body = JSON.stringify({ model: testModel, stream: true, messages: [{ role: 'user', content: 'hi' }] });
  const answer = await send('/v1/chat/completions', { body });
  expect(answer).toMatchObject({ status: 200, headers: { ...inert, 'content-type': 'text/event-stream' } });
});

test('S1 speech keeps its type if that is audio, and is bytes otherwise', async () => {
  const body = JSON.stringify({ model: 'speech-hostile', input: 'hi', voice: 'alloy' });
  for (const [given, wanted] of [
    ['audio/mpeg', 'audio/mpeg'],
    ['Audio/WAV; rate=24000', 'Audio/WAV; rate=24000'],
    ['text/html', 'application/octet-stream'],
  ] as const) {
    next = { headers: { 'content-type': given }, body: script };
    const answer = await send('/v1/audio/speech', { body });
    expect(answer, given).toMatchObject({ status: 200, headers: { ...inert, 'content-type': wanted } });
  }
});

test('S1 every answer of the relay is inert in a browser, refusals included', async () => {
  for (const [method, path] of [
    ['GET', '/v1/models'],
    ['GET', '/v1/unheard-of'],
    ['POST', '/v1/files'],
    ['GET', '/dashboard/billing/usage'],
    ['POST', '/v1/chat/completions'],
  ] as const)
    expect((await send(path, { method })).headers, path).toMatchObject(inert);
  expect((await send('/v1/models', { method: 'GET', headers: { authorization: '' } })).headers).toMatchObject(inert);
});

test('S1 R34 a form of a browser or an opened address calls no model and no proxy channel', async () => {
  next = { headers: { 'content-type': 'text/html' }, body: gemini };
  const before = await relay.userBalance(user.userId);
  const inAddress = `${native}?key=${user.key}`;
  for (const type of [
    'text/plain',
    'Text/Plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    const answer = await sendRaw({ url: relay.url, path: inAddress, headers: { 'content-type': type }, body: prompt });
    expect(answer.status, type).toBe(415);
  }
  for (const path of [inAddress, `/v1/oneapi/proxy/${proxy}/page`]) {
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' };
    expect((await send(path, { headers, body: prompt })).status, path).toBe(403);
  }
  expect(
    (await send(`/v1/oneapi/proxy/${proxy}/page`, { method: 'GET', headers: { 'sec-fetch-mode': 'navigate' } })).status,
  ).toBe(403);
  expect(await relay.userBalance(user.userId)).toEqual(before);
});

test('S1 a proxy channel passes no header on that acts on a browser or a server in front', async () => {
  next = {
    headers: { ...actions, 'content-type': 'text/html', 'x-ratelimit-remaining-requests': '5', etag: '"1"' },
    body: script,
  };
  const answer = await send(`/v1/oneapi/proxy/${proxy}/page`, { method: 'GET' });
  expect(answer).toMatchObject({ status: 200, text: script });
  expect(answer.headers).toMatchObject({ ...inert, 'x-ratelimit-remaining-requests': '5', etag: '"1"' });
  for (const name of dropped) expect(answer.headers).not.toHaveProperty(name);
});

test('S17 the path behind a proxy channel cannot leave the base of its upstream', async () => {
  for (const rest of [
    '/../admin',
    '/a/../../admin',
    '/%2e%2e/admin',
    '/.%2E/admin',
    '/..%2fadmin',
    '/..\\admin',
    '/..%5Cadmin',
    '/..',
  ]) {
    const answer = await send(`/v1/oneapi/proxy/${proxy}${rest}`, { method: 'GET' });
    expect(answer.status, rest).toBe(400);
    expect(answer.error['message']).toContain('".."');
  }
  next = { headers: { 'content-type': 'application/json' }, body: '{}' };
  expect((await send(`/v1/oneapi/proxy/${proxy}/a..b/...`, { method: 'GET' })).status).toBe(200);
});
