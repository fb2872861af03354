import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpointUpstream } from '../../fakes/fake-endpoints.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let client: OpenAI;
let images: FakeUpstream;
let speech: FakeUpstream;

const sound = Buffer.from([0xff, 0xf3, 0x00, 0x7b, 0x80, 0x0a]);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption(
    'ModelRatio',
    JSON.stringify({ 'dall-e-2': 10, 'dall-e-3': 20, 'gpt-image-1': 5, drawer: 2, 'tts-1': 7.5 }),
  );
  await relay.setOption('CompletionRatio', JSON.stringify({ 'gpt-image-1': 8 }));
  await relay.setOption('PartRatio', JSON.stringify({ 'gpt-image-*:image_prompt': 2 }));
  images = await relay.addUpstream(
    endpointUpstream({
      path: '/v1/images/generations',
      members: ['model', 'prompt', 'n', 'size', 'quality'],
      prompt: ({ prompt }) => textOf(prompt),
      answer: () => ({ created: 1_790_000_000, data: [{ url: 'https://images.example/1.png' }] }),
    }),
  );
  await relay.addChannel({ base_url: images.url, key: images.key, models: 'dall-e-2,dall-e-3,gpt-image-1' });
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

const drawn = { created: 1_790_000_000, data: [{ b64_json: 'AA==' }] };
const usage = {
  input_tokens: 50,
  output_tokens: 1056,
  total_tokens: 1106,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
};

test('R7 images cost the tokens that the upstream reports, images of the request included', async () => {
  images.behave(() => ({ body: JSON.stringify({ ...drawn, usage }) }));
  const body = JSON.stringify({ model: 'gpt-image-1', prompt: 'a weir', quality: 'medium' });
  const answer = await relay.ask({ key: user.key, path: '/v1/images/generations', body });
  expect(answer.status, answer.text).toBe(200);
  expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: (10 + 40 * 2 + 1056 * 8) * 5, estimated: 0 });
  expect(await relay.logOf(answer.requestId)).toMatchObject({ prompt_tokens: 50, completion_tokens: 1056 });
});

test('R7 images cost the price by number where the report is none or nonsense', async () => {
  const body = JSON.stringify({ model: 'gpt-image-1', prompt: 'a weir', n: 2 });
  for (const wrong of [undefined, {}, { ...usage, output_tokens: -1 }, { ...usage, input_tokens: 1e12 }]) {
    images.behave(() => ({ body: JSON.stringify({ ...drawn, usage: wrong }) }));
    const answer = await relay.ask({ key: user.key, path: '/v1/images/generations', body });
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 2000 * 5, estimated: 0 });
  }
});

test('R7 an account that cannot pay for the tokens of the largest image is refused', async () => {
  const poor = await relay.addUser({ quota: 6240 * 8 * 5 });
  const body = JSON.stringify({ model: 'gpt-image-1', prompt: 'a weir' });
  const answer = await relay.ask({ key: poor.key, path: '/v1/images/generations', body });
  expect(answer.error['code']).toBe('insufficient_user_quota');
});

test('R7 C73 W7 the row of images with a price by number has no tokens, and says how the price came about', async () => {
  images.behave(() => undefined);
  const body = JSON.stringify({ model: 'dall-e-2', prompt: 'a weir', n: 2, size: '512x512' });
  const answer = await relay.ask({ key: user.key, path: '/v1/images/generations', body });
  const row = await relay.logOf(answer.requestId);
  expect(row).toMatchObject({ quota: 22_500, prompt_tokens: 0, completion_tokens: 0 });
  expect(row?.['content']).toBe('ratio: 10.00 × 1.00 × 1.00, images: 2 × 1.125');
  const charge = await relay.root.call('GET', `/api/log/${String(row?.['id'])}/charge`);
  expect(charge.json['data']).toMatchObject({
    explained: true,
    parts: [{ tokens: 0 }, { tokens: 0 }, { part: 'images', tokens: 2250, amount: '22500' }],
  });
});

test('M16 the metric of charged tokens does not count the price of images by number, the metric of quota does', async () => {
  const body = JSON.stringify({ model: 'dall-e-2', prompt: 'a weir', n: 2, size: '512x512' });
  const read = async (name: string) => {
    const { text } = await relay.app.visitor().call('GET', '/metrics');
    return text.split('\n').filter((line) => line.startsWith(name));
  };
  const quota = async () => Number((await read('weir_relay_quota_total'))[0]?.split(' ')[1]);
  const before = { tokens: await read('weir_relay_tokens_total'), quota: await quota() };
  const answer = await relay.ask({ key: user.key, path: '/v1/images/generations', body });
  expect(answer.status, answer.text).toBe(200);
  await relay.settled();
  expect(await read('weir_relay_tokens_total')).toEqual(before.tokens);
  expect(await quota()).toBe(before.quota + 22_500);
});

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

test('RELAY-02 RELAY-04 the official client hears its sound byte for byte, and pays by the character', async () => {
  speech.behave(() => ({ body: sound, headers: { 'content-type': 'audio/mpeg' } }));
  const pending = client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: '水门 weir' });
  const { data, response } = await pending.withResponse();
  expect(Buffer.from(await data.arrayBuffer())).toEqual(sound);
  expect(response.headers.get('content-type')).toBe('audio/mpeg');
  expect(await relay.chargeOf(idOf(response))).toEqual({ amount: Math.ceil(7 * 7.5), estimated: 0 });
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
