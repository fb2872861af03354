import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testModel, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { chatClient } from '../../clients/chat-client.ts';
import { messagesClient } from '../../clients/messages-client.ts';
import { anthropicFixtures } from '../../provider-suite/anthropic-fixtures.ts';
import { parseObject } from '../../parsing/json.ts';

let relay: RelayApp;
let user: RelayUser;
let claude: FakeUpstream;
let channelId: number;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption('RetryTimes', '0');
  channelId = await relay.addChannel({});
  claude = await relay.addUpstream({ form: anthropicForm, keyHeader: 'x-api-key', path: /^\/v1\/messages$/ });
  await relay.addChannel({ type: 14, base_url: claude.url, key: claude.key, models: 'claude' });
  user = await relay.addUser();
});
afterAll(() => relay.close());

const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 };
const whole = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: '水 flows' }, finish_reason: 'stop' }],
  usage,
};
const events = [
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: '水 flows' }, finish_reason: 'stop' }] })}\n\n`,
  `data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
].join('');
const streamed = { stream: true, stream_options: { include_usage: true } };

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('R15 an answer compressed as %s is decoded, whole and streamed', async (encoding, compress) => {
  const headers = { 'content-encoding': encoding };
  relay.upstream.behave((request) =>
    request.stream
      ? { events: [compress(events)], headers, pieceBytes: 7 }
      : { body: compress(JSON.stringify(whole)), headers },
  );
  const plain = await relay.ask({ key: user.key });
  expect(plain.json).toEqual(whole);
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const stream = await relay.ask({ key: user.key, body: streamed });
  expect([stream.text, stream.complete]).toEqual([events, true]);
  for (const { requestId } of [plain, stream])
    expect(await relay.chargeOf(requestId)).toEqual({ amount: 5 + 2 * 4, estimated: 0 });
});

test('R15 a compressed answer that breaks off, or expands beyond all bounds, costs nothing', async () => {
  const headers = { 'content-encoding': 'gzip' };
  for (const body of [gzipSync(JSON.stringify(whole)).subarray(0, 30), gzipSync(Buffer.alloc(80 * 1024 * 1024))]) {
    relay.upstream.behave(() => ({ body, headers }));
    const answer = await relay.ask({ key: user.key });
    expect(answer.status).toBe(502);
    expect(await relay.chargeOf(answer.requestId)).toBeNull();
  }
});

test('R16 a stream answered by one JSON object reaches the client as a stream', async () => {
  relay.upstream.behave(() => ({ body: JSON.stringify(whole) }));
  const answer = await relay.ask({ key: user.key, body: streamed });
  expect(answer.headers['content-type']).toBe('text/event-stream');
  expect(chatClient.readStream(answer.text)).toMatchObject({
    text: '水 flows',
    finish: 'stop',
    usage: { prompt: 5, completion: 4 },
    ended: true,
  });
  expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 5 + 2 * 4, estimated: 0 });

  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: '水 flows' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 5, output_tokens: 4 },
  };
  claude.behave(() => ({ body: JSON.stringify(message) }));
  const body = { model: 'claude', max_tokens: 99, stream: true, messages: [{ role: 'user', content: 'Hi' }] };
  const other = await relay.ask({ key: user.key, path: '/v1/messages', body: JSON.stringify(body) });
  expect(messagesClient.readStream(other.text)).toMatchObject({ text: '水 flows', finish: 'stop', ended: true });
});

const eventStream = { 'content-type': 'text/event-stream' };

test('R16 a plain call answered by a stream gets one JSON object', async () => {
  relay.upstream.behave(() => ({ body: events, headers: eventStream }));
  const answer = await relay.ask({ key: user.key });
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.json).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: '水 flows' }, finish_reason: 'stop' }],
    usage,
  });
  expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 5 + 2 * 4, estimated: 0 });

  const thought = anthropicFixtures.text;
  claude.behave(() => ({ body: thought.stream.join(''), headers: eventStream }));
  const body = JSON.stringify({ model: 'claude', max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }] });
  const other = await relay.ask({ key: user.key, path: '/v1/messages', body });
  expect(messagesClient.readWhole(other.text)).toMatchObject({
    text: thought.expected.text,
    usage: thought.expected.usage,
  });

  relay.upstream.behave(() => ({ body: events.slice(0, 40), headers: eventStream }));
  const cut = await relay.ask({ key: user.key });
  expect(cut.status).toBe(502);
  expect(await relay.chargeOf(cut.requestId)).toBeNull();
});

const redirect = (location: string, status = 308) => ({ status, headers: { location }, body: '' });

test('R17 a redirect within the host is followed once, with the whole request', async () => {
  let count = 0;
  relay.upstream.behave(() => {
    count += 1;
    return count === 1 ? redirect('/v1/chat/completions') : undefined;
  });
  const answer = await relay.ask({ key: user.key, nonce: 'redirected' });
  expect(answer.status).toBe(200);
  const [first, second] = relay.upstream.journal().filter(({ request }) => request?.nonce === 'redirected');
  expect(parseObject(second?.body.toString() ?? '')).toEqual(parseObject(first?.body.toString() ?? ''));
});

test('R17 19.3 a large request that was converted reaches a channel whole behind a failure, and behind a redirect', async () => {
  const text = 'river '.repeat(20_000);
  for (const name of ['first', 'second']) await relay.addChannel({ name, models: 'large' });
  const sent: string[] = [];
  const behaviours = [{ status: 500, body: '{}' }, redirect('/v1/chat/completions'), undefined];
  relay.upstream.behave(({ prompt }) => {
    sent.push(prompt);
    return behaviours[sent.length - 1];
  });
  await relay.setOption('RetryTimes', '1');
  const body = { model: 'large', max_tokens: 99, messages: [{ role: 'user', content: text }] };
  const answer = await relay.ask({ key: user.key, path: '/v1/messages', body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  expect(sent).toEqual([text, text, text]);
  await relay.setOption('RetryTimes', '0');
});

test.each([['https://elsewhere.example/v1/chat/completions?key=hidden'], ['/v1/chat/completions']])(
  'R17 S23 a redirect to %s that is not followed, or the second one, says where it leads to administrators only',
  async (location) => {
    relay.upstream.behave(() => redirect(location, 301));
    const answer = await relay.ask({ key: user.key });
    expect(answer.status).toBe(502);
    expect(answer.error['message']).toContain('the upstream redirects to another address');
    expect(answer.text).not.toContain('elsewhere');
    expect(await relay.chargeOf(answer.requestId)).toBeNull();
    const { json } = await relay.root.call('GET', `/api/channel/test/${channelId}`);
    expect(json['message']).toContain('/v1/chat/completions');
    expect(json['message']).not.toContain('hidden');
  },
);

test('R31 the model of an answer is the upstream’s name where it is passed on, the requested one where it is converted', async () => {
  relay.upstream.behave(() => undefined);
  await relay.addChannel({ models: 'asked', model_mapping: '{"asked":"given"}' });
  const passed = await relay.ask({ key: user.key, body: { model: 'asked' } });
  expect(passed.json['model']).toBe('given');
  const body = JSON.stringify({ model: 'asked', max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }] });
  const converted = await relay.ask({ key: user.key, path: '/v1/messages', body });
  expect(converted.json['model']).toBe('asked');
});

test('R30 a mark of UTF-8 in front of a body is no part of it, and our own errors have an id', async () => {
  relay.upstream.behave(() => undefined);
  const body = `\ufeff${JSON.stringify({ model: testModel, messages: [{ role: 'user', content: 'Hi' }] })}`;
  expect((await relay.ask({ key: user.key, body })).status).toBe(200);
  const refused = await relay.ask({ key: user.key, body: '{}' });
  expect(refused.headers['x-request-id']).toBe(refused.requestId);
});

test.each([
  [{ max_tokens: 9, messages: [] }, 'messages: at least one message is required'],
  [{ messages: [{ role: 'user', content: 'Hi' }] }, 'max_tokens: Field required'],
  [{ max_tokens: 0, messages: [{ role: 'user', content: 'Hi' }] }, 'max_tokens: Field required'],
])('R28 a message that Anthropic refuses is refused in its form: %j', async (members, message) => {
  const body = JSON.stringify({ model: 'claude', ...members });
  const { status, json } = await relay.ask({ key: user.key, path: '/v1/messages', body });
  expect([status, json]).toMatchObject([400, { type: 'error', error: { type: 'invalid_request_error' } }]);
  expect(JSON.stringify(json)).toContain(message);
});

test('R28 paths with a slash at the end work, and unknown ones fail in the form of their clients', async () => {
  relay.upstream.behave(() => undefined);
  const body = JSON.stringify({ model: testModel, messages: [{ role: 'user', content: 'Hi' }] });
  expect((await relay.ask({ key: user.key, path: '/v1/chat/completions/', body })).status).toBe(200);
  const gemini = await relay.ask({ key: user.key, path: '/v1beta/cachedContents', body });
  expect([gemini.status, gemini.json]).toMatchObject([404, { error: { code: 404, status: 'NOT_FOUND' } }]);
  const claudes = await relay.ask({ key: user.key, path: '/v1/messages/batches', body });
  expect([claudes.status, claudes.json]).toMatchObject([404, { type: 'error' }]);
});
