import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropicFixtures } from '../../provider-suite/anthropic-fixtures.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import { completionsForm, embeddingsForm, moderationsForm, endpointUpstream } from '../../fakes/fake-endpoints.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { parseObject } from '../../parsing/json.ts';
import { sendRaw } from '../../clients/raw-client.ts';
import { buildRelayApp, testModel, testPrice, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

const embeddingModel = 'weir-embedding';
const moderationModel = 'text-moderation-stable';

let relay: RelayApp;
let user: RelayUser;
let client: OpenAI;
let embeddings: FakeUpstream;
let moderations: FakeUpstream;
let completions: FakeUpstream;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption(
    'ModelRatio',
    JSON.stringify({ [testModel]: 1, [embeddingModel]: 3, [moderationModel]: 2, 'claude-opus-4-6': 1 }),
  );
  await relay.setOption('CompletionRatio', JSON.stringify({ [testModel]: 2, 'claude-opus-4-6': 2 }));
  embeddings = await relay.addUpstream(endpointUpstream(embeddingsForm));
  await relay.addChannel({ base_url: embeddings.url, key: embeddings.key, models: embeddingModel });
  moderations = await relay.addUpstream(endpointUpstream(moderationsForm));
  await relay.addChannel({ base_url: moderations.url, key: moderations.key, models: moderationModel });
  completions = await relay.addUpstream(endpointUpstream(completionsForm));
  await relay.addChannel({ base_url: completions.url, key: completions.key });
  user = await relay.addUser();
  client = new OpenAI({ apiKey: user.key, baseURL: `${relay.url}/v1`, maxRetries: 0 });
});
afterAll(() => relay.close());

/** How the upstream notes a list of tokens. */
const tokens = (count: number): string => Array.from({ length: count }, () => 'token').join(' ');

const idOf = (response: Response): string => response.headers.get('x-oneapi-request-id') ?? '';

describe('embeddings', () => {
  const path = '/v1/embeddings';
  const body = `{ "input" : "one two three",\n "model":"${embeddingModel}","dimensions":2.0 }`;

  test('RELAY-02 RELAY-04 the official client gets them, and pays for the reported prompt', async () => {
    const pending = client.embeddings.create({ model: embeddingModel, input: ['one two', 'three'] });
    const { data, response } = await pending.withResponse();
    expect(data.data[0]?.embedding).toEqual([0.25, -0.5]);
    expect(data).toMatchObject({ model: embeddingModel, usage: { prompt_tokens: 3, total_tokens: 3 } });
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: 9, estimated: 0 });
    expect(await relay.logOf(idOf(response))).toMatchObject({ prompt_tokens: 3, completion_tokens: 0, quota: 9 });
  });

  test('RELAY-02 request and answer pass byte for byte', async () => {
    const answer = await relay.ask({ key: user.key, path, body, nonce: 'one two three' });
    const entry = embeddings.journal().at(-1);
    expect(entry?.body.toString()).toBe(body);
    expect(entry?.path).toBe(path);
    expect(answer.text).toContain('"x_vendor_extra": {');
    expect(answer.body).toHaveLength(entry?.bytesSent ?? -1);
  });

  test('RELAY-02 the path of older clients names the model, which the body is given', async () => {
    const engine = `/v1/engines/${embeddingModel}/embeddings`;
    const answer = await relay.ask({ key: user.key, path: engine, body: '{"input":[1,2,3,4]}', nonce: tokens(4) });
    expect(answer.status).toBe(200);
    const entry = embeddings.journal().at(-1);
    expect(entry?.body.toString()).toBe(`{"model":"${embeddingModel}","input":[1,2,3,4]}`);
    expect(entry?.path).toBe(path);
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 12, estimated: 0 });
  });

  test('RELAY-02 without a usage the prompt is counted here, token lists by their length', async () => {
    const data = '{"object":"list","data":[]}';
    embeddings.behave(() => ({ body: data }));
    const answer = await relay.ask({
      key: user.key,
      path,
      body: `{"model":"${embeddingModel}","input":[[1,2],[3]]}`,
      nonce: tokens(3),
    });
    expect(answer.text).toBe(data);
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 9, estimated: 1 });
  });

  const faults = [
    { name: 'an answer without data', behaviour: { body: '{"object":"list"}' }, status: 502 },
    { name: 'no JSON', behaviour: { body: 'oops' }, status: 502 },
    { name: 'an answer that breaks off', behaviour: { cutAfterBytes: 20 }, status: 502 },
    {
      name: 'a stream',
      behaviour: { body: 'data: {}\n\n', headers: { 'content-type': 'text/event-stream' } },
      status: 502,
    },
    { name: 'a refusal', behaviour: { status: 400, body: '{"error":{"message":"too long"}}' }, status: 400 },
  ] as const;
  for (const { name, behaviour, status } of faults) {
    test(`RELAY-02 ${name} of the upstream is an error that costs nothing`, async () => {
      embeddings.behave(() => behaviour);
      const before = await relay.userBalance(user.userId);
      const answer = await relay.ask({ key: user.key, path, body });
      expect(answer.status).toBe(status);
      expect(answer.error['message']).toMatch(/\(request id: \d+\)$/);
      expect(await relay.chargeOf(answer.requestId)).toBeNull();
      await relay.settled();
      expect(await relay.userBalance(user.userId)).toEqual(before);
      embeddings.behave(() => undefined);
    });
  }

  test('RELAY-02 a client that goes away pays nothing, and its hold is released', async () => {
    embeddings.behave(() => ({ until: new Promise(() => undefined) }));
    const before = await relay.userBalance(user.userId);
    const seen = embeddings.journal().length;
    const call = relay.start({ key: user.key, path, body });
    while (embeddings.journal().length === seen) await new Promise((resolve) => setImmediate(resolve));
    call.request.destroy();
    await call.answer;
    await relay.settled();
    expect(await relay.userBalance(user.userId)).toEqual(before);
    embeddings.behave(() => undefined);
  });

  test('RELAY-02 an account that cannot pay for the prompt is refused before the upstream is called', async () => {
    const poor = await relay.addUser({ quota: 8 });
    const seen = embeddings.journal().length;
    const long = JSON.stringify({ model: embeddingModel, input: 'one two three four' });
    const answer = await relay.ask({ key: poor.key, path, body: long });
    expect(answer.status).toBe(403);
    expect(answer.error['code']).toBe('insufficient_user_quota');
    expect(embeddings.journal()).toHaveLength(seen);
  });

  for (const wrong of ['{"input":"x"}', `{"model":"${embeddingModel}"}`, '[]', '{"model":1,"input":"x"}']) {
    test(`RELAY-02 refuses ${wrong}`, async () => {
      const answer = await relay.ask({ key: user.key, path, body: wrong });
      expect(answer.status).toBe(400);
      expect(String(answer.error['code'])).toMatch(/^invalid_/);
    });
  }
});

describe('completions', () => {
  const path = '/v1/completions';
  const request = { model: testModel, prompt: 'tell me of weirs' };

  test('RELAY-02 RELAY-04 the official client gets one, and pays for its usage', async () => {
    const { data, response } = await client.completions.create({ ...request, max_tokens: 3 }).withResponse();
    expect(data).toMatchObject({ object: 'text_completion', choices: [{ text: 'river stone über' }] });
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: 4 + 2 * 3, estimated: 0 });
  });

  test('RELAY-02 RELAY-04 the official client gets a stream, whose usage it did not ask for and does not see', async () => {
    const { data, response } = await client.completions
      .create({ ...request, max_tokens: 2, stream: true })
      .withResponse();
    let text = '';
    for await (const part of data) {
      expect(part.choices).toHaveLength(1);
      text += part.choices[0]?.text ?? '';
    }
    expect(text).toBe('river stone');
    await relay.settled();
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: 4 + 2 * 2, estimated: 0 });
  });

  test('RELAY-02 a stream that the upstream breaks off costs what was delivered', async () => {
    completions.behave(() => ({ words: 30, cutAfterBytes: 900 }));
    const prompt = 'tell me all';
    const body = JSON.stringify({ ...request, prompt, stream: true });
    const answer = await relay.ask({ key: user.key, path, body, nonce: prompt });
    expect(answer.text).toMatch(/"error"/);
    await relay.settled();
    const charge = await relay.chargeOf(answer.requestId);
    expect(charge?.estimated).toBe(1);
    expect(charge?.amount).toBeGreaterThan(4);
    completions.behave(() => undefined);
  });

  test('RELAY-02 what the balance covers is shared by all prompts and all choices', async () => {
    const poor = await relay.addUser({ quota: 100 });
    const prompt = ['one', 'two'];
    const body = JSON.stringify({ model: testModel, prompt, best_of: 3, max_tokens: 1000 });
    const answer = await relay.ask({ key: poor.key, path, body, nonce: 'one two' });
    expect(answer.status).toBe(200);
    const limit = parseObject(completions.journal().at(-1)?.body.toString() ?? '')['max_tokens'];
    expect(Number(limit)).toBeGreaterThan(0);
    expect(Number(limit) * 2 * 3 * 2).toBeLessThan(100);
  });

  for (const wrong of [{ prompt: '' }, { n: 0 }, { best_of: 1.5 }, { max_tokens: -1 }, { stream: 1 }]) {
    test(`RELAY-02 refuses ${JSON.stringify(wrong)}`, async () => {
      const answer = await relay.ask({ key: user.key, path, body: JSON.stringify({ ...request, ...wrong }) });
      expect(answer.status).toBe(400);
      expect(answer.error).toMatchObject({ code: 'invalid_text_request' });
    });
  }
});

describe('completions of a vendor that has chats alone', () => {
  const model = 'claude-opus-4-6';
  const request = { model, prompt: 'How is Paris?', max_tokens: 4000, stop: ['END'] };
  const { expected, whole, stream: events } = anthropicFixtures.text;
  let claude: FakeUpstream;
  beforeAll(async () => {
    claude = await relay.addUpstream({ form: anthropicForm, path: /^\/v1\/messages$/, keyHeader: 'x-api-key' });
    await relay.addChannel({ type: 14, models: model, base_url: claude.url, key: claude.key });
    claude.behave(({ stream }) => (stream ? { events } : { body: whole }));
  });
  const amount = testPrice(expected.usage ?? { prompt: 0, completion: 0 });

  test('RELAY-02 RELAY-04 the official client gets them, whole and streamed, and pays for their usage', async () => {
    const { data, response } = await client.completions.create(request).withResponse();
    expect(data).toMatchObject({
      object: 'text_completion',
      choices: [{ text: expected.text, finish_reason: 'stop' }],
    });
    expect(data.usage?.prompt_tokens).toBe(expected.usage?.prompt);
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount, estimated: 0 });
    const sent = parseObject(claude.journal().at(-1)?.body.toString() ?? '');
    expect(sent).toMatchObject({ max_tokens: 4000, stop_sequences: ['END'], messages: [{ role: 'user' }] });
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const streamed = await client.completions.create({ ...request, ...options }).withResponse();
    const parts = [];
    for await (const part of streamed.data) parts.push(part);
    const choices = parts.flatMap((part) => part.choices);
    expect(choices.map(({ text }) => text).join('')).toBe(expected.text);
    expect(choices.flatMap(({ finish_reason: reason }) => (reason === null ? [] : [reason]))).toEqual(['stop']);
    expect(parts.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: expected.usage?.completion } });
    expect(await relay.chargeOf(idOf(streamed.response))).toEqual({ amount, estimated: 0 });
  });

  test('RELAY-02 S1 a stream that was cut is not complete, and what a chat has nothing for is refused', async () => {
    const headers = { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' };
    const ask = (members: object) => {
      const body = JSON.stringify({ ...request, ...members });
      return sendRaw({ url: relay.url, path: '/v1/completions', headers, body });
    };
    // The end of this vendor's streams is its last event but one.
    claude.behave(() => ({ events, endAfterEvents: events.length - 2 }));
    const cut = await ask({ stream: true });
    expect(cut.text).toContain('"error"');
    expect(cut.text).not.toContain('[DONE]');
    const seen = claude.journal().length;
    for (const wrong of [{ echo: true }, { suffix: '.' }, { prompt: [1, 2] }, { prompt: ['a', 'b'] }, { n: 2 }])
      expect((await ask(wrong)).status, JSON.stringify(wrong)).toBe(400);
    expect(claude.journal()).toHaveLength(seen);
  });
});

describe('edits', () => {
  const model = 'edited-by-chat';
  const request = { model, input: 'teh river', instruction: 'Fix the spelling', temperature: 0 };
  // Not by `relay.ask`: an edit names no user, by whom the oracle would know it at the upstream.
  const ask = (members: object) =>
    fetch(`${relay.url}/v1/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, ...members }),
    });
  let chats: FakeUpstream;
  beforeAll(async () => {
    chats = await relay.addUpstream();
    await relay.addChannel({ base_url: chats.url, key: chats.key, models: model });
  });

  test('RELAY-02 W6 an edit is answered by a chat, in its own form, and costs the usage of the chat', async () => {
    const answer = await ask({});
    expect(answer.status).toBe(200);
    const edit: unknown = await answer.json();
    expect(edit).toMatchObject({ object: 'edit', choices: [{ index: 0 }] });
    expect(edit).toHaveProperty('usage.prompt_tokens');
    const sent = parseObject(chats.journal().at(-1)?.body.toString() ?? '');
    expect(sent).toMatchObject({
      temperature: 0,
      messages: [{ role: 'system' }, { role: 'user', content: 'teh river' }],
    });
    expect(JSON.stringify(sent)).toContain('Fix the spelling');
    expect((await relay.chargeOf(idOf(answer)))?.amount).toBeGreaterThan(0);
    await (await ask({ input: '' })).text();
    const alone = parseObject(chats.journal().at(-1)?.body.toString() ?? '');
    expect(alone['messages']).toEqual([{ role: 'user', content: 'Fix the spelling' }]);
  });

  for (const wrong of [{ instruction: '' }, { input: ['a'] }, { n: 2 }, { model: '' }]) {
    test(`RELAY-02 W6 refuses ${JSON.stringify(wrong)}`, async () => {
      const answer = await ask(wrong);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: 'invalid_text_request' } });
    });
  }
});

describe('moderations', () => {
  test('RELAY-02 RELAY-04 the official client gets them, counted and priced here', async () => {
    const pending = client.moderations.create({ model: moderationModel, input: 'hello hello' });
    const { data, response } = await pending.withResponse();
    expect(data).toMatchObject({ id: 'modr-1', model: moderationModel, results: [{ flagged: false }] });
    expect(await relay.chargeOf(idOf(response))).toEqual({ amount: 4, estimated: 1 });
  });

  test('RELAY-02 without a model they are the vendor’s default, and the body stays as it is', async () => {
    const body = '{ "input": ["hello"] }';
    const answer = await relay.ask({ key: user.key, path: '/v1/moderations', body, nonce: 'hello' });
    expect(answer.status).toBe(200);
    expect(moderations.journal().at(-1)?.body.toString()).toBe(body);
    expect(await relay.logOf(answer.requestId)).toMatchObject({ model_name: moderationModel, quota: 2 });
  });

  test('RELAY-02 an empty input is refused', async () => {
    const answer = await relay.ask({ key: user.key, path: '/v1/moderations', body: '{"input":""}' });
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({ code: 'invalid_text_request' });
  });
});

test('RELAY-07 ledger and upstreams agree after all of this', async () => {
  const faults = await relay.disagreements();
  // These answers have a prompt alone, and the client of the vendor keeps no journal.
  expect(faults.filter((fault) => !fault.startsWith('L10'))).toEqual([]);
});
