import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropicFixtures } from '../../provider-suite/anthropic-fixtures.ts';
import { chatFixtures } from '../../provider-suite/chat-fixtures.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import { responsesForm } from '../../fakes/fake-responses.ts';
import { madeText, type FakeUpstream } from '../../fakes/fake-upstream.ts';
import type { Fixture } from '../../provider-suite/provider-suite.ts';
import { buildRelayApp, testPrice, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import { answerSchema, weatherTool } from '../../clients/dialect-client.ts';

let relay: RelayApp;
let user: RelayUser;
let client: OpenAI;

/** Models by the upstream that serves them. */
const upstreams = new Map<string, FakeUpstream>();
const native = 'gpt-own';
const claude = 'claude-opus-4-6';
const foreign = 'vendor-model';

beforeAll(async () => {
  relay = await buildRelayApp();
  user = await relay.addUser();
  client = new OpenAI({ apiKey: user.key, baseURL: `${relay.url}/v1`, maxRetries: 0 });
  const own = await relay.addUpstream({ form: responsesForm, path: /^\/v1\/responses$/ });
  const anthropic = await relay.addUpstream({ form: anthropicForm, path: /^\/v1\/messages$/, keyHeader: 'x-api-key' });
  upstreams.set(native, own).set(claude, anthropic).set(foreign, relay.upstream);
  await relay.addChannel({ type: 1, models: native, base_url: own.url, key: own.key });
  await relay.addChannel({ type: 14, models: claude, base_url: anthropic.url, key: anthropic.key });
  await relay.addChannel({ type: 8, models: foreign });
  const prices = (value: number) => JSON.stringify({ [native]: value, [claude]: value, [foreign]: value });
  await relay.setOption('ModelRatio', prices(1));
  await relay.setOption('CompletionRatio', prices(2));
});
afterAll(() => relay.close());

const tool = { type: 'function' as const, ...weatherTool, strict: false };
const requestIdOf = (response: Response): string => response.headers.get('x-oneapi-request-id') ?? '';

describe('RELAY-03 responses pass through to OpenAI', () => {
  test('RELAY-04 whole, with everything that only the vendor knows, at the price of its usage', async () => {
    upstreams.get(native)?.behave(() => ({ words: 6 }));
    const { data, response } = await client.responses.create({ model: native, input: 'How is Paris?' }).withResponse();
    expect(data.output_text).toBe(madeText(6));
    expect(data).toHaveProperty('x_vendor_extra', '1e400');
    const cost = testPrice({ prompt: 3, completion: 6 });
    expect(await relay.chargeOf(requestIdOf(response))).toEqual({ amount: cost, estimated: 0 });
  });

  test('R16 a plain call answered by a stream gets the response of its last event', async () => {
    const asked = { key: user.key, path: '/v1/responses', body: JSON.stringify({ model: native, input: 'Hi' }) };
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '水 flows' }] }];
    const usage = { input_tokens: 5, output_tokens: 4, total_tokens: 9 };
    const begun = { id: 'resp_1', object: 'response', model: native, output: [] };
    const ended = { ...begun, status: 'completed', output, usage };
    const eventOf = (type: string, members: object) =>
      `event: ${type}\r\ndata: ${JSON.stringify({ type, ...members })}\r\n\r\n`;
    const opening = [
      eventOf('response.created', { response: { ...begun, status: 'in_progress' } }),
      eventOf('response.output_text.delta', { delta: '水 flows' }),
    ];
    const answering = (...last: string[]) => {
      const body = [...opening, ...last].join('');
      upstreams.get(native)?.behave(() => ({ body, headers: { 'content-type': 'text/event-stream' } }));
      return relay.ask(asked);
    };

    const completed = await answering(eventOf('response.completed', { response: ended }));
    expect([completed.status, completed.headers['content-type']]).toEqual([200, 'application/json']);
    expect(completed.json).toEqual(ended);
    const cost = testPrice({ prompt: 5, completion: 4 });
    expect(await relay.chargeOf(completed.requestId)).toEqual({ amount: cost, estimated: 0 });

    const limited = { ...ended, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const incomplete = await answering(eventOf('response.incomplete', { response: limited }));
    expect(incomplete.json).toEqual(limited);
    expect(await relay.chargeOf(incomplete.requestId)).toEqual({ amount: cost, estimated: 0 });

    // Cut before its end, or ended by a failure: nothing that a client could take for an answer.
    const error = { code: 'server_error', message: 'the model is ill' };
    for (const last of [[], [eventOf('response.failed', { response: { ...begun, status: 'failed', error } })]]) {
      const failed = await answering(...last);
      expect(failed.status).toBeGreaterThanOrEqual(500);
      expect(failed.error['message']).toMatch(last.length === 0 ? /ended the stream early/ : /the model is ill/);
      expect(await relay.chargeOf(failed.requestId)).toBeNull();
    }
  });

  test('RELAY-04 as a stream, byte for byte', async () => {
    upstreams.get(native)?.behave(() => ({ words: 6 }));
    const asking = { model: native, input: 'How is Paris?', stream: true };
    const answer = await relay.ask({ key: user.key, path: '/v1/responses', body: JSON.stringify(asking) });
    expect(answer.complete).toBe(true);
    const sent = upstreams.get(native)?.journal().at(-1);
    expect(sent?.body.toString()).toBe(JSON.stringify(asking));
    expect(answer.body).toHaveLength(sent?.bytesSent ?? 0);
    const cost = testPrice({ prompt: 3, completion: 6 });
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
  });

  test('RELAY-04 built-in tools and responses that the vendor keeps included', async () => {
    upstreams.get(native)?.behave(() => ({ words: 2 }));
    const more = { tools: [{ type: 'web_search' as const }], previous_response_id: 'resp_before' };
    const { output_text: text } = await client.responses.create({ model: native, input: 'Again', ...more });
    expect(text).toBe(madeText(2));
    expect(upstreams.get(native)?.journal().at(-1)?.body.toString()).toContain('resp_before');
    await expect(client.responses.create({ model: claude, input: 'Again', ...more })).rejects.toThrow(
      /previous_response_id resp_before is unknown/,
    );
  });

  test('S1 RELAY-10 a stream that was cut behind any event is not complete, and costs no more than it put out', async () => {
    const events = 16;
    for (let sent = 1; sent < events; sent += 1) {
      upstreams.get(native)?.behave(() => ({ words: 8, endAfterEvents: sent }));
      const body = JSON.stringify({ model: native, input: 'How is Paris?', stream: true });
      const answer = await relay.ask({ key: user.key, path: '/v1/responses', body });
      expect(answer.text).not.toContain('response.completed');
      if (answer.status === 502) {
        // Nothing but empty items.
        expect(sent).toBeLessThanOrEqual(4);
        expect(await relay.chargeOf(answer.requestId)).toBeNull();
        continue;
      }
      expect(answer.complete).toBe(false);
      expect(answer.text).toContain('event: error');
    }
  });

  test('S1 a failed response is reported as a failure, and free', async () => {
    const failed = { type: 'response.failed', response: { error: { code: 'server_error', message: 'it broke' } } };
    upstreams.get(native)?.behave(() => ({ events: [`data: ${JSON.stringify(failed)}\n\n`] }));
    const before = (await relay.userBalance(user.userId)).used;
    const asking = client.responses.create({ model: native, input: 'How is Paris?', stream: true });
    await expect(asking).rejects.toThrow(/it broke/);
    expect((await relay.userBalance(user.userId)).used).toBe(before);
  });

  test('RELAY-07 nothing runs in the background, where its cost would not be known', async () => {
    const asking = client.responses.create({ model: native, input: 'Later', background: true });
    await expect(asking).rejects.toThrow(/background is not supported/);
  });
});

describe.each([
  { upstream: 'Anthropic', model: claude, fixtures: anthropicFixtures },
  { upstream: 'an OpenAI-compatible vendor', model: foreign, fixtures: chatFixtures },
])('RELAY-03 RELAY-04 the official OpenAI client in front of $upstream', ({ model, fixtures }) => {
  const answer = (...answers: readonly Fixture[]) => {
    let count = 0;
    upstreams.get(model)?.behave(({ stream }) => {
      const fixture = answers[Math.min(count, answers.length - 1)];
      count += 1;
      if (fixture === undefined) return undefined;
      return stream ? { events: fixture.stream } : { body: fixture.whole };
    });
  };

  test('RELAY-04 gets a response with its usage, and pays for that', async () => {
    answer(fixtures.text);
    const asking = client.responses.create({ model, input: 'How is Paris?', max_output_tokens: 4000 });
    const { data, response } = await asking.withResponse();
    expect(data).toMatchObject({ object: 'response', status: 'completed', model, error: null });
    expect(data.output_text).toBe('Hello, 世界!');
    expect(data.usage).toMatchObject({ input_tokens: 25, output_tokens: 15, total_tokens: 40 });
    const cost = testPrice({ prompt: 25, completion: 15 });
    expect(await relay.chargeOf(requestIdOf(response))).toEqual({ amount: cost, estimated: 0 });
  });

  test('RELAY-04 gathers a stream into one response', async () => {
    answer(fixtures.tools);
    const stream = client.responses.stream({ model, input: 'How is Paris?', tools: [tool] });
    const kinds: string[] = [];
    for await (const { type } of stream) kinds.push(type);
    const response = await stream.finalResponse();
    expect(kinds[0]).toBe('response.created');
    expect(kinds.at(-1)).toBe('response.completed');
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(response.output_text).toBe('Let me check.');
    expect(response.usage).toMatchObject({ input_tokens: 20, input_tokens_details: { cached_tokens: 5 } });
  });

  test('RELAY-04 calls tools until the model has its answer', async () => {
    answer(fixtures.tools, fixtures.text);
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How is Paris?' }];
    const first = await client.responses.create({ model, input, tools: [tool] });
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls).toHaveLength(2);
    for (const item of first.output) if (item.type === 'message' || item.type === 'function_call') input.push(item);
    for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: '18C' });
    const second = await client.responses.create({ model, input, tools: [tool] });
    expect(second.output_text).toBe('Hello, 世界!');
    const entry = upstreams.get(model)?.journal().at(-1);
    expect(entry?.fault).toBeUndefined();
    expect(entry?.body.toString()).toContain('18C');
  });

  test("S5 RELAY-03 goes on from a response that it names, and from no other user's", async () => {
    answer(fixtures.tools, fixtures.text);
    const first = await client.responses.create({ model, input: 'How is Paris?', tools: [tool] });
    const outputs = first.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: '18C' }]
        : [],
    );
    const next = { model, input: outputs, tools: [tool], previous_response_id: first.id };
    const second = await client.responses.create(next);
    expect(second.output_text).toBe('Hello, 世界!');
    const sent = upstreams.get(model)?.journal().at(-1)?.body.toString();
    expect(sent).toContain('How is Paris?');
    expect(sent).toContain('18C');
    const third = await client.responses.create({ ...next, input: 'And now?', previous_response_id: second.id });
    expect(third.previous_response_id).toBe(second.id);
    const stranger = new OpenAI({ apiKey: (await relay.addUser()).key, baseURL: client.baseURL, maxRetries: 0 });
    await expect(stranger.responses.create(next)).rejects.toThrow(/not found/);
  });

  test('RELAY-04 gets an answer in the form of a schema', async () => {
    answer(fixtures.json);
    const { output_text: text } = await client.responses.create({
      model,
      input: 'How is Paris?',
      text: { format: { type: 'json_schema', name: 'reply', schema: { ...answerSchema }, strict: true } },
    });
    expect(JSON.parse(text)).toEqual({ answer: 'fine' });
  });

  test('RELAY-04 holds a conversation by chat completions with tools', async () => {
    answer(fixtures.tools, fixtures.text);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How is Paris?' }];
    const tools = [{ type: 'function' as const, function: weatherTool }];
    const first = await client.chat.completions.create({ model, messages, tools });
    const message = first.choices[0]?.message;
    if (message === undefined) throw new Error('there is no message');
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    messages.push(message);
    for (const { id } of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: '18C' });
    const second = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion();
    expect(second.choices[0]?.message.content).toBe('Hello, 世界!');
    expect(upstreams.get(model)?.journal().at(-1)?.fault).toBeUndefined();
  });

  test('S1 does not take a stream for complete that upstream broke off', async () => {
    const { stream: events } = fixtures.text;
    upstreams.get(model)?.behave(() => ({ events, endAfterEvents: events.length - 3 }));
    const read = async () => {
      for await (const _ of await client.responses.create({ model, input: 'How is Paris?', stream: true }));
    };
    await expect(read()).rejects.toThrow(OpenAI.APIError);
  });

  test.each([
    [400, OpenAI.BadRequestError],
    [401, OpenAI.AuthenticationError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
  ])('RELAY-04 throws the error of status %i', async (status, expected) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'broken as reported' } });
    upstreams.get(model)?.behave(() => ({ status, body }));
    const asking = client.responses.create({ model, input: 'How is Paris?' });
    await expect(asking).rejects.toThrow(expected);
    await expect(asking).rejects.toThrow(/request id: \d+/);
  });
});
