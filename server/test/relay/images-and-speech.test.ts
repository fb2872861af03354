import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpointUpstream } from '../fakes/fake-endpoints.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import { buildRelayApp, type RelayApp } from '../app/relay-app.ts';
import type { RelayUser } from '../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let client: OpenAI;
let images: FakeUpstream;
let speech: FakeUpstream;

const sound = Buffer.from([0xff, 0xf3, 0x00, 0x7b, 0x80, 0x0a]);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption('ModelRatio', JSON.stringify({ 'dall-e-2': 10, 'dall-e-3': 20, drawer: 2, 'tts-1': 7.5 }));
  images = await relay.addUpstream(
    endpointUpstream({
      path: '/v1/images/generations',
      members: ['model', 'prompt', 'n', 'size', 'quality'],
      prompt: ({ prompt }) => textOf(prompt),
      answer: () => ({ created: 1_790_000_000, data: [{ url: 'https://images.example/1.png' }] }),
    }),
  );
  await relay.addChannel({ base_url: images.url, key: images.key, models: 'dall-e-2,dall-e-3' });
  speech = await relay.addUpstream(
    endpointUpstream({
      path: '/v1/audio/speech',
      members: ['model', 'input', 'voice', 'response_format'],
      prompt: ({ input }) => textOf(input),
      answer: () => ({}),
    }),
  );
  await relay.addChannel({ base_url: speech.url, key: speech.key, models: 'tts-1' });
  user = await relay.addUser();
  client = new OpenAI({ apiKey: user.key, baseURL: `${relay.url}/v1`, maxRetries: 0 });
});
afterAll(() => relay.close());

const idOf = (response: Response): string => response.headers.get('x-oneapi-request-id') ?? '';

const priced = [
  { model: 'dall-e-2', size: '256x256', n: 3, amount: 30_000 },
  { model: 'dall-e-2', size: '512x512', n: 1, amount: 11_250 },
  { model: 'dall-e-3', size: '1024x1024', quality: 'hd', amount: 40_000 },
  { model: 'dall-e-3', size: '1792x1024', quality: 'hd', amount: 60_000 },
] as const;
for (const { amount, ...request } of priced) {
  test(`RELAY-02 RELAY-04 the official client draws ${JSON.stringify(request)} for ${amount}`, async () => {
    const { data, response } = await client.images.generate({ ...request, prompt: 'a weir' }).withResponse();
    expect(data.data?.[0]?.url).toBe('https://images.example/1.png');
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount, estimated: 0 });
  });
}

const refused = [
  [{ prompt: '' }, 'prompt_missing'],
  [{ size: '1x1' }, 'size_not_supported'],
  [{ size: 'constructor' }, 'size_not_supported'],
  [{ n: 11 }, 'n_not_within_range'],
  [{ prompt: 'x'.repeat(1001) }, 'prompt_too_long'],
] as const;
for (const [wrong, code] of refused) {
  test(`RELAY-02 images are refused with ${code}`, async () => {
    const body = JSON.stringify({ model: 'dall-e-2', prompt: 'a weir', ...wrong });
    const answer = await relay.ask({ key: user.key, path: '/v1/images/generations', body });
    expect(answer.status).toBe(400);
    expect(answer.error['code']).toBe(code);
  });
}

test('RELAY-02 what images cost and may be is decided by the model that the channel is sent', async () => {
  const group = 'vip';
  const { key } = await relay.addUser({ user: { group } });
  const model_mapping = JSON.stringify({ artist: 'dall-e-3', 'dall-e-2': 'drawer' });
  await relay.addChannel({ base_url: images.url, key: images.key, models: 'artist,dall-e-2', group, model_mapping });
  const draw = (members: object) =>
    relay.ask({ key, path: '/v1/images/generations', body: JSON.stringify({ prompt: 'a weir', ...members }) });
  const answers = [
    [{ model: 'artist', size: '1792x1024', quality: 'hd' }, 60_000],
    [{ model: 'dall-e-2', size: '1536x1024', n: 2 }, 4000],
  ] as const;
  for (const [request, amount] of answers) {
    const answer = await draw(request);
    expect(answer.status, answer.text).toBe(200);
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount, estimated: 0 });
  }
  expect((await draw({ model: 'artist', size: '256x256' })).error).toMatchObject({ code: 'size_not_supported' });
  expect((await draw({ model: 'artist', n: 2 })).error).toMatchObject({ code: 'n_not_within_range' });
  expect((await draw({ model: 'dall-e-2', size: 7 })).error).toMatchObject({ code: 'size_not_supported' });
});

test('RELAY-02 a drawing that fails or cannot be paid for costs nothing', async () => {
  const body = JSON.stringify({ prompt: 'a weir' });
  const path = '/v1/images/generations';
  const before = await relay.userBalance(user.userId);
  for (const behaviour of [{ cutAfterBytes: 9 }, { body: '{}' }, { status: 500 }]) {
    images.behave(() => behaviour);
    expect((await relay.ask({ key: user.key, path, body })).status).toBe(502);
  }
  images.behave(() => undefined);
  await relay.settled();
  expect(await relay.userBalance(user.userId)).toEqual(before);
  const poor = await relay.addUser({ quota: 12_499 });
  expect((await relay.ask({ key: poor.key, path, body })).error['code']).toBe('insufficient_user_quota');
});

test('RELAY-02 RELAY-04 the official client hears its text byte for byte, and pays by the byte', async () => {
  speech.behave(() => ({ body: sound, headers: { 'content-type': 'audio/mpeg' } }));
  const pending = client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: '水门 weir' });
  const { data, response } = await pending.withResponse();
  expect(Buffer.from(await data.arrayBuffer())).toEqual(sound);
  expect(response.headers.get('content-type')).toBe('audio/mpeg');
  expect(await relay.chargeOf(idOf(response))).toEqual({ amount: Math.ceil(11 * 7.5), estimated: 0 });
});

test('RELAY-02 speech that breaks off, is too long or is an error costs nothing', async () => {
  const before = await relay.userBalance(user.userId);
  const speak = (input: string) =>
    relay.ask({ key: user.key, path: '/v1/audio/speech', body: JSON.stringify({ model: 'tts-1', voice: 'a', input }) });
  speech.behave(() => ({ body: sound, cutAfterBytes: 3 }));
  expect((await speak('weir')).status).toBe(502);
  speech.behave(() => ({ body: '{"error":{"message":"no voice"}}' }));
  expect((await speak('weir')).status).toBe(502);
  expect((await speak('x'.repeat(4097))).error['code']).toBe('text_too_long');
  await relay.settled();
  expect(await relay.userBalance(user.userId)).toEqual(before);
});
