import type { BookEntry, PriceCard } from '@weir/contract/prices/price-book';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unknownCost } from '../../../src/store/logs/log-columns.ts';
import { everything } from '../../../src/store/logs/log-filter.ts';
import { sumConsumption } from '../../../src/store/logs/log-sums.ts';
import { insertPriceBook } from '../../../src/store/prices/price-books.ts';
import { buildRelayApp, type RelayApp, testModel, until } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import { openSession } from '../../clients/realtime-client.ts';
import { embeddingsForm, endpointUpstream, rerankForm } from '../../fakes/fake-endpoints.ts';
import { startFakeRealtime } from '../../fakes/fake-realtime.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { startFormUpstream } from '../../fakes/form-upstream.ts';
import { cardOf, oracleCost } from '../../oracles/cost-oracle.ts';

const maker = { input: 2500, output: 10_000, cacheRead: 1250 };
const atAzure = { input: 2750, output: 11_000 };
const session = { input: 4000, output: 16_000 };
const scribe = { input: 1250, output: 5000 };

let relay: RelayApp;
let user: RelayUser;
let custom = 0;

const entry = (model: string, price: PriceCard, vendor = 'openai', mode: BookEntry['mode'] = 'chat'): BookEntry => ({
  vendor,
  model,
  mode,
  from: '2020-01-01',
  price,
});
const listed: BookEntry[] = [
  entry('weir-listed', cardOf(maker)),
  entry('weir-listed', cardOf(atAzure), 'cohere'),
  entry('weir-free', cardOf({ input: 0, output: 0 })),
  entry('weir-long', { ...cardOf(maker), tiers: [{ above: 200_000, input: '5', output: '15' }] }),
  entry('weir-embed', cardOf({ input: 20, output: 0 }), 'openai', 'embedding'),
  entry('weir-ranks', { units: { search: '0.002' } }, 'cohere', 'rerank'),
  entry('weir-draws', { units: { image: '0.02' } }, 'openai', 'image'),
  entry('dall-e-3', { units: { image: '0.04' } }, 'openai', 'image'),
  entry('gpt-image-1', cardOf({ input: 5000, output: 40_000 }), 'openai', 'image'),
  entry('weir-speaks', { units: { character: '0.000015' } }, 'openai', 'speech'),
  entry('weir-hears', { units: { second: '0.0001' } }, 'openai', 'transcription'),
  entry('weir-session', cardOf(session), 'openai', 'realtime'),
  entry('weir-scribe', cardOf(scribe), 'openai', 'transcription'),
  entry('weir-clock', { units: { second: '0.0001' } }, 'openai', 'transcription'),
];

/** Puts a price book in force. */
const approve = async (entries: BookEntry[]): Promise<void> => {
  const book = { name: 'test', entries };
  await relay.app.db.write
    .transaction()
    .execute((trx) => insertPriceBook(trx, { book, source: 'test', actorId: 0, at: 1 }));
  // An own price makes every node read the prices again.
  await relay.root.data('PUT', '/api/prices/own', { model: 'other', card: cardOf(maker) });
};

const report = ({ prompt, completion, cached = 0 }: { prompt: number; completion: number; cached?: number }) => ({
  usage: {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  },
});
const costOf = async (requestId: string): Promise<number> => Number((await relay.logOf(requestId))?.['cost']);

const addEndpoint = (models: string, { url, key }: FakeUpstream) => relay.addChannel({ base_url: url, key, models });
const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

beforeAll(async () => {
  relay = await buildRelayApp();
  const priced = Object.fromEntries(
    ['weir-session', 'weir-scribe', 'weir-clock', 'weir-speaks', 'weir-hears'].map((name) => [name, 1]),
  );
  await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1, ...priced }));
  await relay.setOption('RetryTimes', '1');
  await approve(listed);
  custom = await relay.addChannel({ models: `${testModel},weir-listed,weir-free,weir-long` });
  user = await relay.addUser({ quota: 1_000_000_000_000 });
});
afterAll(() => relay.close());
beforeEach(() => relay.upstream.behave(() => undefined));

describe('what a call costs at its vendor', () => {
  const use = { prompt: 1001, completion: 203, cached: 100 };
  const ask = async (model: string, members: object = {}, key = user.key) => {
    const { requestId, status, text } = await relay.ask({ key, body: { model, ...members } });
    expect(status, text).toBe(200);
    return costOf(requestId);
  };

  test.each([false, true])('the list price of the maker, cache parts included, stream: %s', async (stream) => {
    relay.upstream.behave(() => report(use));
    expect(await ask('weir-listed', { stream })).toBe(oracleCost(maker, use));
    expect(await ask('weir-free', { stream })).toBe(0);
    expect(await ask(testModel, { stream })).toBe(unknownCost);
  });

  test('a long prompt has the rates of its tier, and the charge has no influence on the cost', async () => {
    relay.upstream.behave(() => report({ prompt: 110_000, completion: 10 }));
    const body = { messages: [{ role: 'user', content: 'x '.repeat(150_000) }] };
    expect(await ask('weir-long', body)).toBe(oracleCost(maker, { prompt: 110_000, completion: 10 }));
    relay.upstream.behave(() => report({ prompt: 250_000, completion: 10 }));
    expect(await ask('weir-long', body)).toBe(250_000 * 5000 + 10 * 15_000);
  });

  test.each([
    ['0.8', 800],
    ['0', 0],
    ['1.25', 1250],
  ])(
    'a channel with the factor %s pays so much of the list price, whatever models have none',
    async (factor, times) => {
      const group = `paying${times}`;
      const config = JSON.stringify({ cost_factor: factor });
      await relay.addChannel({ models: `${testModel},weir-listed`, group, config });
      const { key } = await relay.addUser({ user: { group } });
      relay.upstream.behave(() => report(use));
      expect(await ask('weir-listed', {}, key)).toBe(oracleCost(maker, use, times));
      expect(await ask(testModel, {}, key)).toBe(times === 0 ? 0 : unknownCost);
    },
  );

  test('the channel that answered counts: its type, its name of the model, and its factor', async () => {
    const group = 'falling';
    const failing = await relay.addUpstream();
    failing.behave(() => ({ status: 500, body: '{}' }));
    await relay.addChannel({ base_url: failing.url, key: failing.key, models: 'alias', group, priority: 9 });
    await relay.addChannel({
      models: 'alias',
      group,
      model_mapping: '{"alias":"weir-listed"}',
      config: '{"cost_factor":0.5}',
    });
    const { key } = await relay.addUser({ user: { group } });
    relay.upstream.behave(() => report(use));
    expect(await ask('alias', {}, key)).toBe(oracleCost(maker, use, 500));
  });

  test('a call keeps the price and the factor that were in force when it was admitted', async () => {
    const group = 'keeping';
    const channel = await relay.addChannel({ models: 'weir-listed', group });
    const { key } = await relay.addUser({ user: { group } });
    let go = (): void => undefined;
    const hold = new Promise<void>((resolve) => (go = resolve));
    let arrived = false;
    relay.upstream.behave(() => {
      arrived = true;
      return { ...report(use), until: hold };
    });
    const asked = relay.ask({ key, body: { model: 'weir-listed' } });
    await until(() => arrived);
    await approve([...listed, { ...entry('weir-listed', cardOf(atAzure)), from: '2021-01-01' }]);
    await relay.changeChannel(channel, { config: '{"cost_factor":2}' });
    go();
    expect(await costOf((await asked).requestId)).toBe(oracleCost(maker, use));
    relay.upstream.behave(() => report({ prompt: 1001, completion: 203 }));
    await expect
      .poll(() => ask('weir-listed', {}, key))
      .toBe(oracleCost(atAzure, { prompt: 1001, completion: 203 }, 2000));
    await approve(listed);
    await relay.changeChannel(channel, { config: '' });
  });

  test('what the balance did not cover is paid to the vendor all the same', async () => {
    const poor = await relay.addUser({ quota: 600 });
    const beyond = { prompt: 400, completion: 200 };
    relay.upstream.behave(() => report(beyond));
    const answer = await relay.ask({ key: poor.key, body: { model: 'weir-listed', max_tokens: 3 } });
    expect(answer.status, answer.text).toBe(200);
    expect(await relay.logOf(answer.requestId)).toMatchObject({ cost: oracleCost(maker, beyond) });
    expect(await relay.userBalance(poor.userId)).toMatchObject({ available: 0, used: 600 });
  });
});

describe('what is not counted in tokens', () => {
  const post = async (path: string, members: object): Promise<number> => {
    const answer = await relay.ask({ key: user.key, path, body: JSON.stringify(members) });
    expect(answer.status, answer.text).toBe(200);
    return costOf(answer.requestId);
  };

  test('embeddings by the token, ranks by the search, at the list of the vendor of the channel', async () => {
    await addEndpoint('weir-embed', await relay.addUpstream(endpointUpstream(embeddingsForm)));
    const row = await relay.ask({
      key: user.key,
      path: '/v1/embeddings',
      body: JSON.stringify({ model: 'weir-embed', input: ['one two', 'three'] }),
    });
    const { prompt_tokens: prompt } = (await relay.logOf(row.requestId)) ?? {};
    expect(await costOf(row.requestId)).toBe(
      oracleCost({ input: 20, output: 0 }, { prompt: Number(prompt), completion: 0 }),
    );
    const ranker = await relay.addUpstream(endpointUpstream(rerankForm));
    await addEndpoint('weir-ranks', ranker);
    const ranks = { model: 'weir-ranks', query: 'weir', documents: ['a', 'b'] };
    ranker.behave(() => ({
      body: '{"results":[{"index":0,"relevance_score":0.5}],"meta":{"billed_units":{"search_units":3}}}',
    }));
    expect(await post('/v1/rerank', ranks)).toBe(3 * 2_000_000);
    ranker.behave(() => ({ body: '{"results":[{"index":0,"relevance_score":0.5}],"usage":{"total_tokens":17}}' }));
    expect(await post('/v1/rerank', ranks)).toBe(unknownCost);
  });

  test('pictures by their number and size, or by the tokens of a model that has such prices', async () => {
    const upstream = await relay.addUpstream(
      endpointUpstream({
        path: '/v1/images/generations',
        members: ['model', 'prompt', 'n', 'size', 'quality'],
        prompt: ({ prompt }) => textIn(prompt),
        answer: () => ({ created: 1, data: [{ url: 'https://images.example/1.png' }] }),
      }),
    );
    await addEndpoint('weir-draws,dall-e-3,gpt-image-1', upstream);
    const draw = (members: object) => post('/v1/images/generations', { prompt: 'a weir', ...members });
    expect(await draw({ model: 'weir-draws', n: 2 })).toBe(2 * 20_000_000);
    expect(await draw({ model: 'dall-e-3', size: '1024x1024', quality: 'hd' })).toBe(2 * 40_000_000);
    expect(await draw({ model: 'gpt-image-1' })).toBe(unknownCost);
    const usage = { input_tokens: 50, output_tokens: 1056, total_tokens: 1106 };
    upstream.behave(() => ({ body: JSON.stringify({ created: 1, data: [{ b64_json: 'AA==' }], usage }) }));
    expect(await draw({ model: 'gpt-image-1' })).toBe(50 * 5000 + 1056 * 40_000);
  });

  test('speech by the character, not by the byte', async () => {
    const upstream = await relay.addUpstream(
      endpointUpstream({
        path: '/v1/audio/speech',
        members: ['model', 'input', 'voice'],
        prompt: ({ input }) => textIn(input),
        answer: () => ({}),
      }),
    );
    await addEndpoint('weir-speaks', upstream);
    upstream.behave(() => ({ headers: { 'content-type': 'audio/mpeg' }, body: Buffer.from([0xff, 0xf3, 0, 1]) }));
    expect(await post('/v1/audio/speech', { model: 'weir-speaks', input: 'a 水😀', voice: 'alloy' })).toBe(4 * 15_000);
  });

  test('recordings by the second where it is reported; a count of the transcript tells no cost', async () => {
    const upstream = await startFormUpstream();
    await relay.addChannel({ base_url: upstream.url, key: upstream.key, models: 'weir-hears' });
    const hear = async () => {
      const body = new FormData();
      body.append('model', 'weir-hears');
      body.append('file', new File([Buffer.alloc(99, 7)], 'a.mp3'));
      const headers = { authorization: `Bearer ${user.key}` };
      const answer = await fetch(`${relay.url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
      expect(answer.status, await answer.text()).toBe(200);
      return costOf(answer.headers.get('x-oneapi-request-id') ?? '');
    };
    upstream.behave(() => ({ body: '{"text":"one two","usage":{"type":"duration","seconds":90}}' }));
    expect(await hear()).toBe(90 * 100_000);
    upstream.behave(() => ({ body: '{"text":"one two"}' }));
    expect(await hear()).toBe(unknownCost);
    await upstream.close();
  });

  test.each([
    ['tokens of its own model', 'weir-scribe', oracleCost(scribe, { prompt: 100, completion: 10 })],
    ['seconds of its own model', 'weir-clock', 90 * 100_000],
  ])('a session by its tokens, and its transcripts by %s', async (_, name, transcribed) => {
    const upstream = await startFakeRealtime('authorization', 'sk-session');
    const group = `speaking-${name}`;
    await relay.addChannel({ type: 1, base_url: upstream.url, key: 'sk-session', models: 'weir-session', group });
    const { key } = await relay.addUser({ user: { group } });
    const usage = { total_tokens: 330, input_tokens: 300, output_tokens: 30 };
    const tokens = { type: 'tokens', total_tokens: 110, input_tokens: 100, output_tokens: 10 };
    upstream.behave({ usage, transcript: name === 'weir-clock' ? { type: 'duration', seconds: 90 } : tokens });
    const held = await openSession({ url: relay.url, path: '/v1/realtime?model=weir-session', key });
    held.send({ type: 'session.update', session: { input_audio_transcription: { model: name } } });
    await held.until('session.updated');
    held.send({ type: 'response.create' });
    await held.until('response.done');
    held.send({ type: 'input_audio_buffer.commit' });
    await held.until('conversation.item.input_audio_transcription.completed');
    held.socket.close();
    await relay.settled();
    expect(await costOf(held.requestId)).toBe(oracleCost(session, { prompt: 300, completion: 30 }) + transcribed);
    await upstream.close();
  });
});

test('a channel test is paid to the vendor: its row has what it cost, and the totals of users have not', async () => {
  const totals = () => sumConsumption(relay.app.db, { filter: everything, span: { from: 0, before: 2 ** 40 } });
  const before = await totals();
  relay.upstream.behave(() => report({ prompt: 9, completion: 7 }));
  await relay.root.call('GET', `/api/channel/test/${custom}?model=weir-listed`);
  const tests = () => relay.app.db.read.selectFrom('logs').select('cost').where('type', '=', 5).orderBy('id').execute();
  expect(await tests()).toEqual([{ cost: oracleCost(maker, { prompt: 9, completion: 7 }) }]);
  relay.upstream.behave(() => report({ prompt: 9_000_000, completion: 7 }));
  await relay.root.call('GET', `/api/channel/test/${custom}?model=weir-listed`);
  relay.upstream.behave(() => ({ status: 500, body: '{}' }));
  await relay.root.call('GET', `/api/channel/test/${custom}?model=weir-listed`);
  expect((await tests()).slice(1)).toEqual([{ cost: unknownCost }, { cost: unknownCost }]);
  expect(await totals()).toEqual(before);
});
