import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embedderForms, embedderUpstream, vectorFor } from '../../fakes/fake-embedders.ts';
import { aliRerankForm, embeddingsForm, endpointUpstream, rerankForm } from '../../fakes/fake-endpoints.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { parseObject } from '../../parsing/json.ts';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let client: OpenAI;
const upstreams = new Map<number, FakeUpstream>();

beforeAll(async () => {
  relay = await buildRelayApp();
  const ratios = [...embedderForms.map(({ model }) => model), 'compatible', 'ranker', 'gte-rerank-v2'].map((model) => [
    model,
    2,
  ]);
  await relay.setOption('ModelRatio', JSON.stringify(Object.fromEntries(ratios)));
  for (const form of embedderForms) {
    const upstream = await relay.addUpstream(embedderUpstream(form));
    upstreams.set(form.type, upstream);
    await relay.addChannel({ type: form.type, base_url: upstream.url, key: form.key, models: form.model });
  }
  const compatible = await relay.addUpstream(endpointUpstream(embeddingsForm));
  upstreams.set(8, compatible);
  await relay.addChannel({ base_url: compatible.url, key: compatible.key, models: 'compatible' });
  const ranking = await relay.addUpstream(endpointUpstream(rerankForm));
  upstreams.set(-8, ranking);
  await relay.addChannel({ base_url: ranking.url, key: ranking.key, models: 'ranker' });
  const native = await relay.addUpstream(endpointUpstream(aliRerankForm));
  upstreams.set(-17, native);
  await relay.addChannel({ type: 17, base_url: native.url, key: native.key, models: 'gte-rerank-v2' });
  user = await relay.addUser();
  client = new OpenAI({ apiKey: user.key, baseURL: `${relay.url}/v1`, maxRetries: 0 });
});
afterAll(() => relay.close());

const idOf = (response: Response): string => response.headers.get('x-oneapi-request-id') ?? '';
const upstreamOf = (type: number): FakeUpstream => {
  const upstream = upstreams.get(type);
  if (upstream === undefined) throw new Error(`no upstream of type ${type}`);
  return upstream;
};
const embeds = (type: number) =>
  upstreamOf(type)
    .journal()
    .filter(({ request }) => request?.prompt !== '').length;

for (const { type, model, most, silent } of embedderForms) {
  test(`RELAY-02 RELAY-04${type === 35 ? ' R10' : ''} the official client embeds with type ${type}, more texts than the vendor takes at once too`, async () => {
    const input = Array.from({ length: most + 1 }, (_, index) => `text ${index}`);
    const before = embeds(type);
    const { data, response } = await client.embeddings.create({ model, input }).withResponse();
    expect(data.data.map(({ embedding }) => embedding)).toEqual(input.map(vectorFor));
    expect(data.model).toBe(model);
    expect(embeds(type) - before).toBe(2);
    const charge = await relay.chargeOf(idOf(response));
    if (silent) expect(charge?.estimated).toBe(1);
    else expect(charge).toEqual({ amount: input.length * 2 * 2, estimated: 0 });
    if (!silent) expect(data.usage.prompt_tokens).toBe(input.length * 2);
  });

  test(`RELAY-02 an answer of type ${type} without its vectors, or a failing part of several, costs nothing`, async () => {
    const before = await relay.userBalance(user.userId);
    const ask = (count: number) =>
      client.embeddings.create({ model, input: Array.from({ length: count }, () => 'x') }).then(
        () => 'answered',
        (error: unknown) => (error instanceof OpenAI.APIError ? Number(error.status) : 0),
      );
    const upstream = upstreamOf(type);
    upstream.behave(({ prompt }) => (prompt === '' ? undefined : { body: '{}' }));
    expect(await ask(1)).toBe(502);
    upstream.behave(({ prompt }) => (prompt === '["x"]' ? { status: 500, body: '{}' } : undefined));
    expect(await ask(most + 1)).toBe(502);
    upstream.behave(() => undefined);
    await relay.settled();
    expect(await relay.userBalance(user.userId)).toEqual(before);
  });
}

test('RELAY-02 what has no texts is refused with its reason by vendors that take nothing else', async () => {
  const body = JSON.stringify({ model: 'embed-30', input: [[1, 2]] });
  const answer = await relay.ask({ key: user.key, path: '/v1/embeddings', body });
  expect(answer.status).toBe(400);
  expect(answer.error['message']).toMatch(/^input must be a text or a list of texts for this channel/);
});

test('RELAY-02 numbers are accepted from a vendor of which packed ones were requested', async () => {
  const data = [{ object: 'embedding', index: 0, embedding: [0.25, -0.5], extra: 1 }];
  upstreamOf(8).behave(() => ({ body: JSON.stringify({ object: 'list', data, usage: { total_tokens: 3 } }) }));
  const answered = await client.embeddings.create({ model: 'compatible', input: 'one two three' });
  expect(answered.data).toEqual([{ object: 'embedding', index: 0, embedding: [0.25, -0.5], extra: 1 }]);
  upstreamOf(8).behave(() => undefined);
});

describe('Gemini’s requests for embeddings', () => {
  const content = (text: string) => ({ content: { parts: [{ text }] } });
  const ask = (path: string, body: object) =>
    relay.ask({
      key: user.key,
      path: `/v1beta/models/${path}`,
      body: JSON.stringify(body),
    });

  test('RELAY-02 reach Gemini as they are, and are counted where it does not', async () => {
    const requests = ['one two', 'three'].map((text) => ({ model: 'models/embed-24', ...content(text) }));
    const answer = await ask('embed-24:batchEmbedContents', { requests });
    expect(answer.json).toEqual({ embeddings: ['one two', 'three'].map((text) => ({ values: vectorFor(text) })) });
    expect(upstreamOf(24).journal().at(-1)?.body.toString()).toBe(JSON.stringify({ requests }));
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 3 * 2, estimated: 1 });
  });

  test('RELAY-02 reach vendors of other forms', async () => {
    const one = await ask('embed-30:embedContent', content('one two'));
    expect(one.json).toEqual({ embedding: { values: vectorFor('one two') } });
    const several = await ask('compatible:batchEmbedContents', { requests: [content('one two three')] });
    expect(several.json).toEqual({ embeddings: [{ values: [0.25, -0.5] }] });
    expect(parseObject(String(upstreamOf(8).journal().at(-1)?.body))).toEqual({
      model: 'compatible',
      input: ['one two three'],
      encoding_format: 'float',
    });
  });

  test('RELAY-02 without a text are refused in Google’s words', async () => {
    const answer = await ask('embed-30:embedContent', { content: { parts: [] } });
    expect(answer.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
    expect((await ask('embed-30:embedContent', {})).error).toMatchObject({ code: 400 });
  });
});

describe('ranks', () => {
  const documents = ['two words', { text: 'and three more' }];
  const rank = (body: object, path = '/v1/rerank') =>
    relay.ask({ key: user.key, path, body: JSON.stringify({ model: 'ranker', query: 'one', documents, ...body }) });

  test('RELAY-02 pass byte for byte on each of their paths', async () => {
    for (const path of ['/v1/rerank', '/v2/rerank', '/rerank']) {
      const answer = await rank({ top_n: 1 }, path);
      const entry = upstreamOf(-8).journal().at(-1);
      expect(entry?.path).toBe('/v1/rerank');
      expect(answer.body).toHaveLength(entry?.bytesSent ?? -1);
      expect(answer.json['results']).toEqual([{ index: 1, relevance_score: 0.9 }]);
    }
  });

  const reports = [
    { name: 'tokens', report: { usage: { total_tokens: 7 } }, amount: 14, estimated: 0 },
    { name: 'billed tokens', report: { meta: { tokens: { input_tokens: 9 } } }, amount: 18, estimated: 0 },
    { name: 'searches', report: { meta: { billed_units: { search_units: 2 } } }, amount: 4000, estimated: 0 },
    { name: 'nothing', report: {}, amount: 12, estimated: 1 },
  ];
  for (const { name, report, amount, estimated } of reports) {
    test(`RELAY-07 ranks of a vendor that reports ${name} cost ${amount}`, async () => {
      upstreamOf(-8).behave(() => ({ body: JSON.stringify({ id: 'r', results: [], ...report }) }));
      const answer = await rank({});
      upstreamOf(-8).behave(() => undefined);
      expect(answer.status).toBe(200);
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount, estimated });
    });
  }

  test('RELAY-02 are requested from a vendor of another form, and answered in the requested form', async () => {
    const answer = await rank({ model: 'gte-rerank-v2', top_n: 1, return_documents: true });
    expect(answer.json).toEqual({
      id: 'r-1',
      model: 'gte-rerank-v2',
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'and three more' } }],
      usage: { prompt_tokens: 6, total_tokens: 6 },
    });
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 12, estimated: 0 });
  });

  test('RELAY-02 without a query or documents are refused, and faults of the vendor cost nothing', async () => {
    const before = await relay.userBalance(user.userId);
    for (const wrong of [{ query: '' }, { documents: 'one' }, { model: '' }])
      expect((await rank(wrong)).error['code']).toBe('invalid_text_request');
    for (const [type, model] of [
      [-8, 'ranker'],
      [-17, 'gte-rerank-v2'],
    ] as const) {
      for (const behaviour of [{ body: '{}' }, { cutAfterBytes: 5 }, { status: 500, body: 'oops' }]) {
        upstreamOf(type).behave(() => behaviour);
        expect((await rank({ model })).status).toBe(502);
      }
      upstreamOf(type).behave(() => undefined);
    }
    await relay.settled();
    expect(await relay.userBalance(user.userId)).toEqual(before);
    expect((await rank({ model: 'bge-large-zh' })).error['code']).toBe('unsupported_endpoint');
  });
});

test('RELAY-07 the ledger agrees after all of this', async () => {
  const faults = await relay.disagreements();
  // These answers have a prompt alone, their texts are no journal's, and the vendor's client keeps none.
  expect(faults.filter((fault) => !/^(?:L10|L6|L7|S1) /.test(fault))).toEqual([]);
});
