import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { textTokens } from '../oracles/count-tokens.ts';
import { type FakeRealtime, startFakeRealtime } from '../fakes/fake-realtime.ts';
import { type Json, parseObject, objectOf } from '../parsing/json.ts';
import { buildRelayApp, type RelayApp, testPrice, until, untilQuiet } from '../app/relay-app.ts';
import { type HeldSession, openSession, type SessionOptions } from '../clients/realtime-client.ts';
import type { RelayUser } from '../app/relay-user.ts';

const key = 'sk-realtime-upstream';
const model = 'gpt-realtime';
let relay: RelayApp;
let upstream: FakeRealtime;
let user: RelayUser;
let channel = 0;

beforeAll(async () => {
  relay = await buildRelayApp();
  upstream = await startFakeRealtime('authorization', key);
  await relay.setOption('ModelRatio', JSON.stringify({ [model]: 1, scribe: 0.3, clock: 3 }));
  await relay.setOption('CompletionRatio', JSON.stringify({ [model]: 2, scribe: 4 }));
  const parts = { [`${model}:audio_prompt`]: 8, [`${model}:cache_read`]: 0.5, 'scribe:audio_prompt': 2.4 };
  await relay.setOption('PartRatio', JSON.stringify(parts));
  channel = await relay.addChannel({ type: 1, base_url: upstream.url, key, models: model });
  user = await relay.addUser();
});
afterAll(async () => {
  await relay.close();
  await upstream.close();
});

/** Opens a session of the user's, unless options say otherwise. */
const open = (path = `/v1/realtime?model=${model}`, options: Partial<SessionOptions> = {}): Promise<HeldSession> =>
  openSession({ url: relay.url, path, key: user.key, ...options });

/** The status and error of a handshake that is refused. */
const refused = async (path: string, headers: Readonly<Record<string, string>>): Promise<readonly [number, Json]> => {
  const socket = new WebSocket(relay.url.replace('http', 'ws') + path, { headers });
  socket.on('error', () => undefined);
  const response = await new Promise<IncomingMessage>((resolve) => {
    socket.on('unexpected-response', (_, answer) => resolve(answer));
  });
  let text = '';
  for await (const piece of response) text += String(piece);
  return [response.statusCode ?? 0, objectOf(parseObject(text)['error'])];
};

const charged = async (requestId: string) => {
  await relay.settled();
  return relay.chargeOf(requestId);
};

test('RELAY-03 RELAY-07 RELAY-09 holds a session, and charges what all of its answers report', async () => {
  const usage = {
    total_tokens: 330,
    input_tokens: 300,
    output_tokens: 30,
    input_token_details: {
      text_tokens: 100,
      audio_tokens: 200,
      cached_tokens: 60,
      cached_tokens_details: { text_tokens: 10, audio_tokens: 50 },
    },
    output_token_details: { text_tokens: 10, audio_tokens: 20 },
  };
  upstream.behave({ usage });
  const session = await open();
  session.send({ type: 'session.update', session: { instructions: 'Be brief.', x_vendor: [null] } });
  for (const times of [1, 2]) {
    session.send({ type: 'response.create' });
    await session.until('response.done', times);
  }
  expect(upstream.received().at(-1)).toEqual({ type: 'response.create' });
  expect(upstream.handshakes().at(-1)).toMatchObject({ url: `/v1/realtime?model=${model}` });
  session.socket.close(4001, 'enough');
  await until(() => upstream.closed().includes(4001));
  // Prompts of 300, of which 60 are cached at half and 150 are fresh sound at eight times the price, and two for one of 30.
  const amount = 2 * (300 - 30 + 7 * 150 + 2 * 30);
  expect(await charged(session.requestId)).toEqual({ amount, estimated: 0 });
  expect(await relay.logOf(session.requestId)).toMatchObject({
    channel_id: channel,
    model_name: model,
    prompt_tokens: 600,
    completion_tokens: 60,
    quota: amount,
  });
  const { id } = (await relay.logOf(session.requestId)) ?? {};
  expect(await relay.root.data('GET', `/api/log/${String(id)}/charge`)).toMatchObject({ explained: true });
});

const tokens = { type: 'tokens', total_tokens: 110, input_tokens: 100, output_tokens: 10 };
const scribed = { ...tokens, input_token_details: { text_tokens: 20, audio_tokens: 80 } };
const newer = (name: string) => ({ audio: { input: { transcription: { model: name } } } });
const older = (name: string) => ({ input_audio_transcription: { model: name } });
test.each([
  ['tokens at its own prices', newer('scribe'), scribed, (20 + 80 * 2.4 + 10 * 4) * 0.3],
  ['seconds as those of recordings', older('clock'), { type: 'duration', seconds: 90 }, 300 * 3],
  ["seconds as the session's own sound, where no table names it", newer('x'), { type: 'duration', seconds: 2 }, 20 * 8],
  ['tokens as its own, where no table names it', older('x'), scribed, 20 + 80 * 8 + 10 * 2],
])('RELAY-07 transcripts of another model cost %s', async (_, options, transcript, cost) => {
  upstream.behave({ transcript });
  const session = await open();
  session.send({ type: 'session.update', session: options });
  await session.until('session.updated');
  session.send({ type: 'input_audio_buffer.commit' });
  await session.until('conversation.item.input_audio_transcription.completed');
  session.socket.close();
  const amount = Math.ceil(cost);
  expect(await charged(session.requestId)).toEqual({ amount, estimated: 0 });
  const { id } = (await relay.logOf(session.requestId)) ?? {};
  expect(await relay.root.data('GET', `/api/log/${String(id)}/charge`)).toMatchObject({ explained: true });
});

test('RELAY-04 the class of the official SDK holds a session unchanged', async () => {
  const read = (name: string) => readFileSync(new URL(`../fakes/tls/${name}.pem`, import.meta.url));
  const port = Number(new URL(relay.url).port);
  const proxy = createServer({ key: read('localhost-key'), cert: read('localhost-cert') }, (socket) => {
    const through = connect(port, '127.0.0.1');
    socket.pipe(through).pipe(socket);
    for (const end of [socket, through]) end.on('error', () => through.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const at = typeof address === 'object' && address !== null ? address.port : 0;
  upstream.behave({ pieces: ['Good ', 'day'], usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 } });
  const client = new OpenAI({ apiKey: user.key, baseURL: `https://127.0.0.1:${at}/v1` });
  const session = new OpenAIRealtimeWS({ model, options: { rejectUnauthorized: false } }, client);
  let text = '';
  session.on('response.output_audio_transcript.delta', ({ delta }) => (text += delta));
  const done = new Promise((resolve, reject) => {
    session.on('response.done', resolve);
    session.on('error', reject);
  });
  session.socket.on('open', () => session.send({ type: 'response.create' }));
  await done;
  session.close();
  expect(text).toBe('Good day');
  await relay.settled();
  proxy.close();
});

test('RELAY-08 takes keys from browsers by a protocol, and refuses what the other endpoints refuse', async () => {
  const path = `/v1/realtime?model=${model}`;
  const protocols = ['realtime', `openai-insecure-api-key.${user.key}`, 'openai-beta.realtime-v1'];
  const session = await open(path, { protocols });
  expect(session.socket.protocol).toBe('realtime');
  expect(upstream.handshakes().at(-1)?.headers).toMatchObject({
    'openai-beta': 'realtime=v1',
    authorization: `Bearer ${key}`,
  });
  session.socket.close();
  expect((await session.ended)[0]).toBe(1005);
  const elsewhere = await relay.addUser({ token: { subnet: '10.9.0.0/16' } });
  const limited = await relay.addUser({ token: { models: 'another' } });
  const broke = await relay.addUser({ quota: 20 });
  const seen = upstream.handshakes().length;
  const as = ({ key: own }: { readonly key: string }) => ({ authorization: `Bearer ${own}` });
  const answers = [
    await refused(path, {}),
    await refused(path, as({ key: 'sk-wrong' })),
    await refused(path, as(elsewhere)),
    await refused(path, as(limited)),
    await refused('/v1/realtime', as(user)),
    await refused('/v1/realtime?model=unheard-of', as(user)),
  ];
  expect(answers.map(([status]) => status)).toEqual([401, 401, 403, 403, 400, 503]);
  expect(answers[0]?.[1]).toMatchObject({ type: 'one_api_error' });
  expect(upstream.handshakes()).toHaveLength(seen);
  // What the balance covers less than the first slice of is held as far as it goes.
  const small = await open(path, { key: broke.key });
  small.socket.close();
  upstream.refuse({ status: 429, body: '{"error":{"message":"slow down","code":"rate_limit_exceeded"}}' });
  expect((await refused(path, as(user)))[0]).toBe(429);
  upstream.refuse(null);
});

test('RELAY-07 B30 ends a session when its balance ends, and charges what the account has at most', async () => {
  const poor = await relay.addUser({ quota: 400 });
  const sound = Buffer.alloc(24_000).toString('base64');
  const endless = Array.from({ length: 200 }, () => 'word ');
  upstream.behave({ pieces: endless, sound, usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 } });
  const session = await open(undefined, { key: poor.key });
  session.send({ type: 'response.create' });
  expect(await session.ended).toEqual([1008, 'insufficient_user_quota']);
  expect(session.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'insufficient_user_quota' } });
  expect(session.events.map(({ type }) => type)).not.toContain('response.done');
  const charge = await charged(session.requestId);
  expect(charge).toMatchObject({ estimated: 1 });
  const pieces = session.events.filter(({ type }) => type === 'response.output_audio.delta').length;
  expect(charge?.amount).toBeGreaterThan(pieces * 10);
  const { available, held, used } = await relay.userBalance(poor.userId);
  expect([available + used, held, used]).toEqual([400, 0, charge?.amount]);
});

test('RELAY-10 charges what was delivered when the client goes within an answer', async () => {
  const gate = Promise.withResolvers<void>();
  upstream.behave({ pieces: ['One two three', ' four'], until: gate.promise });
  const session = await open();
  const text = 'What is a weir?';
  session.send({ type: 'conversation.item.create', item: { content: [{ type: 'input_text', text }] } });
  session.send({ type: 'response.create' });
  await session.until('response.output_audio_transcript.delta');
  session.socket.terminate();
  await until(() => upstream.open() === 0);
  gate.resolve();
  const charge = await charged(session.requestId);
  const prompt = Math.ceil(text.length / 3);
  expect(charge).toEqual({ amount: testPrice({ prompt, completion: textTokens('One two three') }), estimated: 1 });
});

test('RELAY-07 tells the client of an upstream that closes or breaks, and charges what was delivered', async () => {
  upstream.behave({ closeCode: 4008 });
  const closed = await open();
  closed.send({ type: 'response.create' });
  expect(await closed.ended).toEqual([4008, 'as reported']);
  upstream.behave({ closeCode: 0 });
  const broken = await open();
  broken.send({ type: 'response.create' });
  expect((await broken.ended)[0]).toBe(1011);
  expect(broken.events.at(-1)).toMatchObject({ error: { code: 'upstream_truncated' } });
  for (const session of [closed, broken]) {
    // Bytes that are lost with a broken connection are not charged.
    const text = session.events.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('');
    const amount = testPrice({ prompt: 0, completion: textTokens(text) });
    expect(await charged(session.requestId)).toEqual(text === '' ? null : { amount, estimated: 1 });
  }
  const silent = await open();
  silent.socket.close();
  expect(await charged(silent.requestId)).toBeNull();
});

test('RELAY-08 a session whose key is switched off ends with its next answer', async () => {
  upstream.behave({ usage: { input_tokens: 5, output_tokens: 1, total_tokens: 6 } });
  const other = await relay.addUser();
  const session = await open(undefined, { key: other.key });
  await relay.root.data('POST', '/api/user/manage', { username: (await nameOf(other)) ?? '', action: 'disable' });
  session.send({ type: 'response.create' });
  expect((await session.ended)[0]).toBe(1008);
  expect(await charged(session.requestId)).toBeNull();
});

const nameOf = async ({ userId }: RelayUser): Promise<string | undefined> =>
  (await relay.app.db.read.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst())
    ?.username;

test('RELAY-10 a client that takes nothing pauses the upstream, and then has everything', async () => {
  const sound = Buffer.alloc(90_000).toString('base64');
  const pieces = Array.from({ length: 200 }, () => '.');
  upstream.behave({ pieces, sound, usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 } });
  const session = await open();
  session.socket.pause();
  session.send({ type: 'response.create' });
  // 24 MB are more than the buffers of two connections hold: the rest stays with the upstream.
  let before = 0;
  await untilQuiet(() => {
    const isStuck = upstream.waiting() > 0 && upstream.waiting() === before;
    before = upstream.waiting();
    return isStuck;
  });
  session.socket.resume();
  await session.until('response.done');
  expect(session.events.filter(({ type }) => type === 'response.output_audio.delta')).toHaveLength(pieces.length);
  session.socket.close();
  await relay.settled();
});

test('PROVIDER-3 RELAY-03 asks Azure by deployment and version', async () => {
  const azure = await startFakeRealtime('api-key', key);
  await relay.addChannel({ type: 3, base_url: azure.url, key, other: '2024-10-01-preview', models: 'gpt-4.1-rt' });
  await relay.addChannel({ type: 3, base_url: `${azure.url}/openai/v1`, key, models: 'gpt-rt' });
  for (const name of ['gpt-4.1-rt', 'gpt-rt']) (await open(`/v1/realtime?model=${name}`)).socket.close();
  expect(azure.handshakes().map(({ url }) => url)).toEqual([
    '/openai/realtime?api-version=2024-10-01-preview&deployment=gpt-41-rt',
    '/openai/v1/realtime?model=gpt-rt',
  ]);
  await relay.settled();
  await azure.close();
});

const requests = (count: number, session: HeldSession): void => {
  for (let index = 0; index < count; index += 1)
    session.send({ type: 'response.create', response: { conversation: 'none' } });
};
const createdUpstream = (): number => upstream.received().filter(({ type }) => type === 'response.create').length;

test('S4 many requests for answers at once: what the balance covers is done, the rest is never asked for', async () => {
  upstream.behave({ pieces: ['one'], usage: { total_tokens: 10, input_tokens: 5, output_tokens: 5 } });
  const before = createdUpstream();
  const cost = testPrice({ prompt: 5, completion: 5 });
  const poor = await relay.addUser({ quota: 6 * cost + 10 });
  const session = await open(undefined, { key: poor.key });
  requests(2000, session);
  expect(await session.ended).toEqual([1008, 'insufficient_user_quota']);
  await relay.settled();
  const asked = createdUpstream() - before;
  expect(asked).toBeLessThanOrEqual(7);
  expect(asked).toBeGreaterThanOrEqual(6);
  const { available, used, held } = await relay.userBalance(poor.userId);
  expect(used).toBeGreaterThanOrEqual(6 * cost);
  expect([available + used, held]).toEqual([6 * cost + 10, 0]);
});

test('S4 an ample balance has eight answers asked for or running at once', async () => {
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  upstream.behave({ pieces: ['one'], usage: { total_tokens: 10, input_tokens: 5, output_tokens: 5 }, until: gate });
  const before = createdUpstream();
  const session = await open();
  requests(20, session);
  await session.until('response.created', 8);
  await untilQuiet(() => createdUpstream() - before === 8);
  const { held } = await relay.userBalance(user.userId);
  expect(held).toBeGreaterThan(0);
  go();
  await session.until('response.done', 20);
  expect(createdUpstream() - before).toBe(20);
  session.socket.close();
  expect(await charged(session.requestId)).toEqual({
    amount: testPrice({ prompt: 100, completion: 100 }),
    estimated: 0,
  });
});

test('S4 the work of a client that leaves is bounded by what was set aside', async () => {
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  upstream.behave({ pieces: ['one', 'two'], until: gate });
  const before = createdUpstream();
  const session = await open();
  requests(400, session);
  await session.until('response.created', 8);
  session.socket.terminate();
  await relay.settled();
  go();
  expect(createdUpstream() - before).toBe(8);
});
