import { chargeSchema } from '@weir/contract/prices/charges';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { responsesForm } from '../../fakes/fake-responses.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import { geminiForm } from '../../fakes/vendors/fake-gemini.ts';

let relay: RelayApp;
let user: RelayUser;
let gemini: FakeUpstream;
let responses: FakeUpstream;
let anthropic: FakeUpstream;

beforeAll(async () => {
  relay = await buildRelayApp({ unpriced: 'as on a first start' });
  await relay.addChannel({ type: 1, models: 'gpt-5' });
  gemini = await relay.addUpstream({ form: geminiForm, path: /./, keyHeader: 'x-goog-api-key' });
  await relay.addChannel({ type: 24, models: 'gemini-2.5-flash', base_url: gemini.url, key: gemini.key });
  responses = await relay.addUpstream({ form: responsesForm, path: /^\/v1\/responses$/ });
  await relay.addChannel({ type: 1, models: 'gpt-5.5', base_url: responses.url, key: responses.key });
  anthropic = await relay.addUpstream({ form: anthropicForm, path: /./, keyHeader: 'x-api-key' });
  await relay.addChannel({ type: 14, models: 'claude-opus-5-5', base_url: anthropic.url, key: anthropic.key });
  user = await relay.addUser({ quota: 1_000_000_000 });
});
afterAll(() => relay.close());

const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const usage = { prompt_tokens: 10_000, completion_tokens: 1000, total_tokens: 11_000 };
/** Of 10,000 and 1,000 tokens at dollars for a million, in units of 500,000 for one. */
const cost = (input: number, output: number): number => Math.ceil((10_000 * input + 1000 * output) / 2);

const chatBody = (tier: unknown) => {
  const choice = { index: 0, finish_reason: 'stop' };
  const head = { id: 'c', created: 1, model: 'gpt-5' };
  const named = tier === undefined ? {} : { service_tier: tier };
  return {
    body: JSON.stringify({
      ...head,
      ...named,
      object: 'chat.completion',
      choices: [{ ...choice, message: { role: 'assistant', content: 'Hi' } }],
      usage,
    }),
    // The last chunk does not repeat the tier.
    events: [
      data({ ...head, ...named, object: 'chat.completion.chunk', choices: [{ ...choice, delta: { content: 'Hi' } }] }),
      data({ ...head, object: 'chat.completion.chunk', choices: [], usage }),
      'data: [DONE]\n\n',
    ],
  };
};

const messages = [{ role: 'user', content: 'Hi' }];

interface Sent {
  readonly path?: string;
  readonly body: object;
}

const charged = async ({ path = '/v1/chat/completions', body }: Sent) => {
  const answer = await relay.ask({ key: user.key, path, body: JSON.stringify(body) });
  expect(answer.status, answer.text).toBe(200);
  const row = await relay.logOf(answer.requestId);
  const charge = v.parse(chargeSchema, await relay.root.data('GET', `/api/log/${String(row?.['id'])}/charge`));
  expect(charge.explained, JSON.stringify(charge)).toBe(true);
  return charge;
};

/** Asked for, reported, charged as: gpt-5 costs 1.25 and 10, as flex half of it, with priority twice. */
const tiers: readonly (readonly [string | undefined, unknown, 'flex' | 'priority' | undefined])[] = [
  ['flex', 'flex', 'flex'],
  ['flex', 'default', undefined],
  ['flex', undefined, undefined],
  ['priority', 'priority', 'priority'],
  ['priority', 'default', undefined],
  ['auto', 'priority', 'priority'],
  ['auto', 'flex', 'flex'],
  [undefined, 'priority', 'priority'],
  [undefined, 'flex', 'flex'],
  // What was not asked for is not believed where it is cheaper.
  ['default', 'flex', undefined],
  ['priority', 'flex', undefined],
  [undefined, 'batch', undefined],
  ['flex', 'batch', undefined],
  [undefined, 7, undefined],
  [undefined, 'scale', undefined],
];
const prices = { flex: cost(0.625, 5), priority: cost(2.5, 20), standard: cost(1.25, 10) };

describe('R5 the service class that the vendor reports', () => {
  test.each(tiers)(
    'chat completions that request %s and report %s are charged as %s',
    async (asked, reported, expected) => {
      relay.upstream.behave(({ stream }) => {
        const { body, events } = chatBody(reported);
        return stream ? { events } : { body };
      });
      const named = asked === undefined ? {} : { service_tier: asked };
      const chat = { model: 'gpt-5', messages, ...named };
      const converted = { path: '/v1/messages', body: { ...chat, max_tokens: 4000 } };
      for (const sent of [
        { body: chat },
        { body: { ...chat, stream: true } },
        converted,
        { ...converted, body: { ...converted.body, stream: true } },
      ]) {
        const { quota, price } = await charged(sent);
        expect(quota, JSON.stringify(sent)).toBe(prices[expected ?? 'standard']);
        expect(price?.serviceClass, JSON.stringify(sent)).toBe(expected);
      }
    },
  );

  test('responses, passed on and converted: gpt-5.5 with priority costs 12.5 and 75', async () => {
    const response = {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'gpt-5.5',
      status: 'completed',
      service_tier: 'priority',
      output: [
        {
          type: 'message',
          id: 'm',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
        },
      ],
      usage: { input_tokens: 10_000, output_tokens: 1000, total_tokens: 11_000 },
    };
    responses.behave(({ stream }) =>
      stream
        ? { events: [`event: response.completed\n${data({ type: 'response.completed', response })}`] }
        : { body: JSON.stringify(response) },
    );
    for (const stream of [false, true]) {
      const body = { model: 'gpt-5.5', input: 'Hi', stream, service_tier: 'priority' };
      const { quota, price } = await charged({ path: '/v1/responses', body });
      expect(quota).toBe(cost(12.5, 75));
      expect(price?.serviceClass).toBe('priority');
    }
  });

  test.each([
    [{ serviceTier: 'priority' }, cost(0.54, 4.5)],
    [{ serviceTier: 'SERVICE_TIER_FLEX' }, cost(0.15, 1.25)],
    [{ trafficType: 'ON_DEMAND_PRIORITY' }, cost(0.54, 4.5)],
    [{ trafficType: 'ON_DEMAND_FLEX' }, cost(0.15, 1.25)],
    [{ trafficType: 'ON_DEMAND' }, cost(0.3, 2.5)],
    [{ serviceTier: 'standard' }, cost(0.3, 2.5)],
    [{}, cost(0.3, 2.5)],
  ])('Gemini reports %j', async (tier, expected) => {
    const content = { role: 'model', parts: [{ text: 'Hi' }] };
    const counts = { promptTokenCount: 10_000, candidatesTokenCount: 1000, totalTokenCount: 11_000 };
    const answer = {
      candidates: [{ content, finishReason: 'STOP', index: 0 }],
      usageMetadata: { ...counts, ...tier },
    };
    const whole = JSON.stringify(answer);
    gemini.behave(({ stream }) => (stream ? { events: [`data: ${whole}\r\n\r\n`] } : { body: whole }));
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
    const native = '/v1beta/models/gemini-2.5-flash:';
    for (const sent of [
      { path: `${native}generateContent`, body: { contents, serviceTier: 'auto' } },
      { path: `${native}streamGenerateContent?alt=sse`, body: { contents } },
      { body: { model: 'gemini-2.5-flash', messages } },
      { body: { model: 'gemini-2.5-flash', messages, stream: true } },
    ])
      expect((await charged(sent)).quota, sent.path).toBe(expected);
  });

  test.each(['standard', 'priority', 'batch'])('Anthropic reports %s, which its list has no price of', async (tier) => {
    const counts = { input_tokens: 10_000, output_tokens: 1000, service_tier: tier };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
    const content = [{ type: 'text', text: 'Hi' }];
    anthropic.behave(() => ({ body: JSON.stringify({ ...message, content, stop_reason: 'end_turn', usage: counts }) }));
    const body = { model: 'claude-opus-5-5', messages, max_tokens: 4000, service_tier: 'auto' };
    expect((await charged({ path: '/v1/messages', body })).quota).toBe(cost(4, 20));
  });

  test('the hold covers what the request may get: priority and auto hold twice as much for gpt-5', async () => {
    relay.upstream.behave(() => ({ body: chatBody('default').body }));
    const held = async (more: object) => {
      const body = { model: 'gpt-5', messages, max_tokens: 2000, ...more };
      const { hold } = await charged({ body });
      return hold?.reserved ?? 0;
    };
    const standard = await held({});
    expect(standard).toBeGreaterThan(2000 * 5);
    for (const tier of ['flex', 'default']) {
      const padded = await held({ service_tier: tier });
      // A few bytes more are some tokens more of the prompt.
      expect(padded).toBeGreaterThanOrEqual(standard);
      expect(padded).toBeLessThan(standard * 1.1);
    }
    for (const tier of ['priority', 'auto']) expect(await held({ service_tier: tier })).toBeGreaterThan(standard * 2);
  });

  test('limits an answer to what the balance covers of the dearer class', async () => {
    relay.upstream.behave(() => ({ body: chatBody('default').body }));
    const limit = async (more: object) => {
      const { key } = await relay.addUser({ quota: 3000 });
      const body = JSON.stringify({ model: 'gpt-5', messages, max_tokens: 4000, ...more });
      const answer = await relay.ask({ key, body });
      return Number(answer.headers['x-weir-output-cap']);
    };
    const [standard, priority] = [await limit({}), await limit({ service_tier: 'priority' })];
    expect(standard).toBeGreaterThan(500);
    expect(priority).toBeGreaterThan(standard * 0.45);
    expect(priority).toBeLessThan(standard * 0.55);
  });
});
