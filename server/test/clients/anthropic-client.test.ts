import Anthropic from '@anthropic-ai/sdk';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetric } from '../app/read-metric.ts';
import { addClientVendors, answerInTurn, clientVendors } from './client-vendors.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import type { Fixture } from '../provider-suite/provider-suite.ts';
import { buildRelayApp, testPrice, type RelayApp } from '../app/relay-app.ts';
import type { RelayUser } from '../app/relay-user.ts';
import { answerSchema, weatherTool } from './dialect-client.ts';

let relay: RelayApp;
let user: RelayUser;
let client: Anthropic;

let upstreams: ReadonlyMap<string, FakeUpstream>;
const native = 'claude-opus-4-6';
const foreign = 'vendor-model';

beforeAll(async () => {
  relay = await buildRelayApp();
  user = await relay.addUser();
  client = new Anthropic({ apiKey: user.key, baseURL: relay.url, maxRetries: 0 });
  upstreams = await addClientVendors(relay);
  const priced = (value: number) =>
    JSON.stringify(Object.fromEntries(clientVendors.map(({ model }) => [model, value])));
  await relay.setOption('ModelRatio', priced(1));
  await relay.setOption('CompletionRatio', priced(2));
});
afterAll(() => relay.close());

const schemaTool = {
  name: weatherTool.name,
  description: weatherTool.description,
  input_schema: { type: 'object' as const, properties: weatherTool.parameters.properties, required: ['city'] },
};
const question = [{ role: 'user' as const, content: 'How is Paris?' }];

describe.each(clientVendors)('RELAY-03 RELAY-04 the official Anthropic client in front of $vendor', (vendor) => {
  const { model, fixtures } = vendor;
  const { expected } = fixtures.tools ?? fixtures.text;
  const answer = (...answers: readonly (Fixture | undefined)[]) => answerInTurn(upstreams.get(model), answers);

  test('RELAY-04 gets a message with its usage, and pays for that', async () => {
    answer(fixtures.text);
    const { data, response } = await client.messages
      .create({ model, max_tokens: 4000, messages: question, system: 'Be brief.' })
      .withResponse();
    expect(data).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn', stop_sequence: null });
    expect(data.content).toMatchObject([{ type: 'text', text: 'Hello, 世界!' }]);
    expect(data.usage).toMatchObject({ input_tokens: 25, output_tokens: 15 });
    const requestId = response.headers.get('x-oneapi-request-id') ?? '';
    expect(await relay.chargeOf(requestId)).toEqual({
      amount: testPrice({ prompt: 25, completion: 15 }),
      estimated: 0,
    });
  });

  test('RELAY-04 gathers a stream into one message', async () => {
    answer(fixtures.tools);
    const stream = client.messages.stream({ model, max_tokens: 4000, messages: question, tools: [schemaTool] });
    let text = '';
    stream.on('text', (piece) => (text += piece));
    const message = await stream.finalMessage();
    expect(text).toBe('Let me check.');
    expect(message.stop_reason).toBe('tool_use');
    // A block without text carries the signature of a call of Gemini.
    const shown = message.content.filter((block) => block.type !== 'thinking' || block.thinking !== '');
    expect(shown).toMatchObject([
      { type: 'thinking', thinking: 'need weather' },
      { type: 'text', text: 'Let me check.' },
      ...expected.calls.map(({ name, arguments: input }) => ({ type: 'tool_use', name, input })),
    ]);
    const { input_tokens: fresh, cache_read_input_tokens: cached, output_tokens: output } = message.usage;
    expect([fresh, cached, output]).toEqual([15, 5, 12]);
  });

  test('RELAY-04 calls tools until the model has its answer', async () => {
    answer(fixtures.tools, fixtures.text);
    const first = await client.messages.create({ model, max_tokens: 4000, messages: question, tools: [schemaTool] });
    const calls = first.content.filter((block) => block.type === 'tool_use');
    expect(calls).toHaveLength(expected.calls.length);
    const results = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: '18C' }));
    const second = await client.messages.create({
      model,
      max_tokens: 4000,
      tools: [schemaTool],
      messages: [...question, { role: 'assistant', content: first.content }, { role: 'user', content: results }],
    });
    expect(second.content).toMatchObject([{ type: 'text', text: 'Hello, 世界!' }]);
    const entry = upstreams.get(model)?.journal().at(-1);
    expect(entry?.fault).toBeUndefined();
    expect(entry?.body.toString()).toContain('18C');
  });

  test('RELAY-04 gets an answer in the form of a schema', async () => {
    answer(fixtures.json);
    const message = await client.messages.create({
      model,
      max_tokens: 4000,
      messages: question,
      output_config: { format: { type: 'json_schema', schema: answerSchema } },
    });
    const [block] = message.content;
    expect(block?.type === 'text' ? JSON.parse(block.text) : null).toEqual({ answer: 'fine' });
  });
});

describe.each([
  { upstream: 'Anthropic', model: native },
  { upstream: 'an OpenAI-compatible vendor', model: foreign },
])('RELAY-03 RELAY-04 the official Anthropic client in front of $upstream', ({ model }) => {
  test('RELAY-04 counts the tokens of a request, free', async () => {
    upstreams.get(model)?.behave(() => ({ body: JSON.stringify({ input_tokens: 77 }) }));
    const before = (await relay.userBalance(user.userId)).used;
    const { input_tokens: tokens } = await client.messages.countTokens({ model, messages: question });
    if (model === native) expect(tokens).toBe(77);
    else expect(tokens).toBeGreaterThan(5);
    expect((await relay.userBalance(user.userId)).used).toBe(before);
  });

  test('S1 rejects a stream that the upstream broke off', async () => {
    const events = clientVendors.find((one) => one.model === model)?.fixtures.text.stream ?? [];
    upstreams.get(model)?.behave(() => ({ events, endAfterEvents: events.length - 3 }));
    const stream = client.messages.stream({ model, max_tokens: 4000, messages: question });
    await expect(stream.finalMessage()).rejects.toThrow(Anthropic.AnthropicError);
  });

  test.each([
    [400, Anthropic.BadRequestError, 'invalid_request_error'],
    [401, Anthropic.AuthenticationError, 'authentication_error'],
    [403, Anthropic.PermissionDeniedError, 'permission_error'],
    [404, Anthropic.NotFoundError, 'not_found_error'],
    [429, Anthropic.RateLimitError, 'rate_limit_error'],
    [500, Anthropic.InternalServerError, 'api_error'],
    [503, Anthropic.InternalServerError, 'overloaded_error'],
  ])('RELAY-04 throws the error of status %i', async (status, expected, type) => {
    const body = JSON.stringify({ type: 'error', error: { type, message: 'broken as reported' } });
    upstreams.get(model)?.behave(() => ({ status, body }));
    const thrown: unknown = await client.messages
      .create({ model, max_tokens: 10, messages: question })
      .then(() => undefined)
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(expected);
    expect(thrown).toMatchObject({ error: { type: 'error', error: { type } } });
    expect(String(thrown)).toMatch(/request id: \d+/);
  });
});

const limitedCalls = 'weir_relay_refusals_total{rule="rate_limit_concurrent"}';

test('RELAY-04 the official Anthropic client that waits as it is told reads answers alone, although a limit refuses some', async () => {
  const patient = new Anthropic({ apiKey: user.key, baseURL: relay.url, maxRetries: 5 });
  const rule = { scope: 'token', subject: String(user.tokenId), metric: 'concurrent', period: '', amount: 1 };
  const { id } = v.parse(v.object({ id: v.number() }), await relay.root.data('POST', '/api/rate-limit/', rule));
  const [vendor] = clientVendors;
  if (vendor === undefined) throw new Error('there is no vendor');
  const { model, fixtures } = vendor;
  answerInTurn(upstreams.get(model), [fixtures.text, fixtures.text, fixtures.text]);
  const ask = () => patient.messages.create({ model, max_tokens: 50, messages: question });
  const refusedBefore = await readMetric(relay.app, limitedCalls);
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.map(({ role }) => role)).toEqual(['assistant', 'assistant', 'assistant']);
  expect(await readMetric(relay.app, limitedCalls)).toBeGreaterThan(refusedBefore);
  await relay.root.data('DELETE', `/api/rate-limit/${id}`);
});

test('RELAY-02 the official Anthropic client lists the models and finds one', async () => {
  const ids: string[] = [];
  for await (const { id } of client.models.list()) ids.push(id);
  expect(ids.toSorted()).toEqual(clientVendors.map(({ model }) => model).toSorted());
  expect(await client.models.retrieve(native)).toMatchObject({ type: 'model', id: native });
  await expect(client.models.retrieve('nothing')).rejects.toThrow(Anthropic.NotFoundError);
});

test('RELAY-08 the official Anthropic client gets an authentication error for an invalid key', async () => {
  const stranger = new Anthropic({ apiKey: 'sk-unknown', baseURL: relay.url, maxRetries: 0 });
  const asking = stranger.messages.create({ model: native, max_tokens: 10, messages: question });
  await expect(asking).rejects.toThrow(Anthropic.AuthenticationError);
});
