import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { baiduFixtures } from '../provider-suite/baidu-fixtures.ts';
import { chatRequestChecks } from '../provider-suite/chat-vendor-requests.ts';
import { chatAnswers } from '../provider-suite/chat-vendor-answers.ts';
import { aliFixtures, aliForm, aliPlugin } from '../fakes/vendors/fake-ali.ts';
import { createFakeBaidu } from '../fakes/vendors/fake-baidu.ts';
import { zhipuForm } from '../fakes/vendors/fake-chat-vendors.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import type { Fixture } from '../provider-suite/provider-suite.ts';
import { buildRelayApp, testPrice, type ChannelValues, type RelayApp } from '../app/relay-app.ts';
import { answerSchema, weatherTool } from './dialect-client.ts';
import { vendorFixtures } from '../provider-suite/vendor-fixtures.ts';

const zhipuFixtures = vendorFixtures({
  source: 'docs.bigmodel.cn, chat completions (provider notes 8.9)',
  ...chatAnswers({ reasoning: 'reasoning_content', usage: 'last chunk', calls: 'whole' }),
  checkRequest: chatRequestChecks('object', 'images'),
});

const wenxin = createFakeBaidu();
const schema = {
  type: 'json_schema',
  json_schema: { name: 'reply', schema: { ...answerSchema }, strict: true },
} as const;

/** The vendors, and the response format that each supports. */
const vendors = [
  {
    vendor: 'Zhipu',
    channel: { type: 16, models: 'glm-4.6', other: 'jwt' },
    upstream: { form: zhipuForm(true), key: 'id.secret', path: /^\/api\/paas\/v4\/chat\/completions$/ },
    fixtures: zhipuFixtures,
    format: { type: 'json_object' } as const,
  },
  {
    vendor: 'DashScope',
    channel: { type: 17, models: 'qwen-plus', other: aliPlugin },
    upstream: { form: aliForm },
    fixtures: aliFixtures,
    format: schema,
  },
  {
    vendor: 'Baidu Wenxin',
    channel: { type: 15, models: 'ERNIE-3.5-8K' },
    upstream: { form: wenxin.form, key: wenxin.key },
    fixtures: baiduFixtures,
    format: schema,
  },
];

let relay: RelayApp;
let client: OpenAI;
const upstreams = new Map<string, FakeUpstream>();

beforeAll(async () => {
  relay = await buildRelayApp();
  const { key } = await relay.addUser();
  client = new OpenAI({ apiKey: key, baseURL: `${relay.url}/v1`, maxRetries: 0 });
  const priced = (value: number) =>
    JSON.stringify(Object.fromEntries(vendors.map(({ channel }) => [channel.models, value])));
  await relay.setOption('ModelRatio', priced(1));
  await relay.setOption('CompletionRatio', priced(2));
  for (const { channel, upstream } of vendors) {
    const started = await relay.addUpstream(upstream);
    upstreams.set(channel.models, started);
    const values: ChannelValues = { ...channel, base_url: started.url, key: started.key };
    await relay.addChannel(values);
  }
});
afterAll(() => relay.close());

const system = { role: 'system', content: 'Be brief.' } as const;
const question = { role: 'user', content: 'How is Paris?' } as const;

describe.each(vendors)(
  'RELAY-04 the official client of OpenAI in front of $vendor',
  ({ channel, fixtures, format }) => {
    const model = channel.models;
    const answer = (...answers: readonly (Fixture | undefined)[]) => {
      let count = 0;
      upstreams.get(model)?.behave(({ stream }) => {
        const fixture = answers[count];
        count += 1;
        return stream ? { events: fixture?.stream ?? [] } : { body: fixture?.whole ?? '' };
      });
    };
    // These vendors accept only this name of the limit.
    const settings: object = { max_tokens: 4000, temperature: 0.5 };
    const ask = (messages: ChatCompletionMessageParam[], more: object = {}) =>
      client.chat.completions.create({ model, messages, ...settings, ...more });

    test('RELAY-04 gets a text, whole and streamed, and is charged what the vendor reports', async () => {
      answer(fixtures.text, fixtures.text);
      const whole = client.chat.completions.create({ model, messages: [system, question] });
      const { data, response } = await whole.withResponse();
      expect(data.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello, 世界!' } });
      const requestId = response.headers.get('x-oneapi-request-id') ?? '';
      const amount = testPrice({ prompt: 25, completion: 15 });
      expect(await relay.chargeOf(requestId)).toEqual({ amount, estimated: 0 });
      const stream = client.chat.completions.stream({ model, messages: [system, question] });
      const { choices } = await stream.finalChatCompletion();
      expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello, 世界!' } });
    });

    test('RELAY-04 calls a tool and gets an answer from its result', async () => {
      answer(fixtures.tools, fixtures.results);
      const tools = [{ type: 'function', function: weatherTool }];
      const first = await ask([system, question], { tools });
      const message = first.choices[0]?.message;
      const [call] = message?.tool_calls ?? [];
      if (message === undefined || call?.type !== 'function') throw new Error('no tool was called');
      expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Paris' });
      const result = { role: 'tool', tool_call_id: call.id, content: '18C' } as const;
      const second = await ask([system, question, message, result], { tools });
      expect(second.choices[0]?.message.content).toBe('Hello, 世界!');
      expect(upstreams.get(model)?.journal().at(-1)?.fault).toBeUndefined();
    });

    test('RELAY-04 gets an answer in the form that it asks for', async () => {
      answer(fixtures.json);
      const { choices } = await ask([system, question], { response_format: format });
      expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ answer: 'fine' });
    });
  },
);
