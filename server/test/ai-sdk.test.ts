import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropicFixtures } from './anthropic-fixtures.ts';
import { chatFixtures } from './chat-fixtures.ts';
import { chatAsked } from './chat-vendor-asked.ts';
import { chatWords } from './chat-vendor-words.ts';
import { aliFixtures, aliForm, aliPlugin } from './fake-ali.ts';
import { anthropicForm } from './fake-anthropic.ts';
import { qianfanForm } from './fake-chat-vendors.ts';
import { geminiForm } from './fake-gemini.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import { geminiFixtures } from './gemini-fixtures.ts';
import type { Fixture } from './provider-suite.ts';
import { buildRelayApp, type RelayApp } from './relay-app.ts';
import { answerSchema, weatherTool } from './told.ts';
import { vendorFixtures } from './vendor-fixtures.ts';

let relay: RelayApp;
let key = '';
const upstreams = new Map<string, FakeUpstream>();
const claude = 'claude-opus-4-6';
const gemini = 'gemini-2.5-flash';
const qwen = 'qwen-plus';
const ernie = 'ernie-4.5-turbo-128k';
const foreign = 'vendor-model';

// Its warnings about models that it does not know say nothing about the gateway.
Reflect.set(globalThis, 'AI_SDK_LOG_WARNINGS', false);

beforeAll(async () => {
  relay = await buildRelayApp();
  ({ key } = await relay.addUser());
  const anthropic = await relay.addUpstream({ form: anthropicForm, path: /^\/v1\/messages$/, keyHeader: 'x-api-key' });
  const google = await relay.addUpstream({
    form: geminiForm,
    path: /^\/v1beta\/models\/[^/]+:\w+(\?alt=sse)?$/,
    keyHeader: 'x-goog-api-key',
  });
  const dashScope = await relay.addUpstream({ form: aliForm });
  const qianfan = await relay.addUpstream({ form: qianfanForm, path: /^\/v2\/chat\/completions$/ });
  upstreams.set(claude, anthropic).set(gemini, google).set(foreign, relay.upstream);
  upstreams.set(qwen, dashScope).set(ernie, qianfan);
  await relay.addChannel({ type: 14, models: claude, base_url: anthropic.url, key: anthropic.key });
  await relay.addChannel({ type: 24, models: gemini, base_url: google.url, key: google.key });
  await relay.addChannel({ type: 8, models: foreign });
  await relay.addChannel({ type: 17, models: qwen, base_url: dashScope.url, key: dashScope.key, other: aliPlugin });
  await relay.addChannel({ type: 15, models: ernie, base_url: `${qianfan.url}/v2`, key: qianfan.key });
});
afterAll(() => relay.close());

/** How the SDK asks: by which vendor's endpoint. */
const endpoints = {
  'chat completions': (model: string) => createOpenAI({ apiKey: key, baseURL: `${relay.url}/v1` }).chat(model),
  responses: (model: string) => createOpenAI({ apiKey: key, baseURL: `${relay.url}/v1` }).responses(model),
  content: (model: string) => createGoogleGenerativeAI({ apiKey: key, baseURL: `${relay.url}/v1beta` })(model),
  messages: (model: string) => createAnthropic({ apiKey: key, baseURL: `${relay.url}/v1` })(model),
};

const qianfanFixtures = vendorFixtures({
  source: 'Qianfan V2 API reference (provider notes 10.2)',
  ...chatWords({ reasoning: 'reasoning_content' }),
  asked: chatAsked('schema', 'images'),
});

const vendors = [
  { vendor: 'Anthropic', model: claude, fixtures: anthropicFixtures },
  { vendor: 'Gemini', model: gemini, fixtures: geminiFixtures },
  { vendor: 'an OpenAI-compatible vendor', model: foreign, fixtures: chatFixtures },
  { vendor: 'DashScope', model: qwen, fixtures: aliFixtures },
  { vendor: 'Baidu Qianfan', model: ernie, fixtures: qianfanFixtures },
];
const pairs = Object.entries(endpoints).flatMap(([endpoint, modelFor]) =>
  vendors.map((vendor) => ({ endpoint, modelFor, ...vendor })),
);

describe.each(pairs)('RELAY-04 the AI SDK by $endpoint in front of $vendor', ({ modelFor, model, fixtures }) => {
  const answer = (...answers: readonly (Fixture | undefined)[]) => {
    let count = 0;
    upstreams.get(model)?.behave(({ stream }) => {
      const fixture = answers[Math.min(count, answers.length - 1)];
      count += 1;
      if (fixture === undefined) return undefined;
      return stream ? { events: fixture.stream } : { body: fixture.whole };
    });
  };
  const weather = tool({
    description: weatherTool.description,
    inputSchema: jsonSchema<{ city: string }>(weatherTool.parameters),
    execute: async () => '18C',
  });
  const now = tool({ inputSchema: jsonSchema<object>({ type: 'object', properties: {} }), execute: async () => 'now' });
  const tools = { get_weather: weather, now };
  const prompt = 'How is Paris?';

  test('RELAY-04 generates a text, with its usage', async () => {
    answer(fixtures.text);
    const { text, usage } = await generateText({ model: modelFor(model), prompt, maxRetries: 0 });
    expect(text).toBe('Hello, 世界!');
    expect(usage).toMatchObject({ inputTokens: 25, outputTokens: 15 });
  });

  test('RELAY-04 streams, and calls tools until there is an answer', async () => {
    answer(fixtures.tools, fixtures.text);
    const result = streamText({ model: modelFor(model), prompt, tools, stopWhen: stepCountIs(3), maxRetries: 0 });
    let text = '';
    for await (const piece of result.textStream) text += piece;
    expect(text).toBe('Let me check.Hello, 世界!');
    const steps = await result.steps;
    expect(steps).toHaveLength(2);
    expect(steps[0]?.toolResults).toHaveLength(fixtures.tools?.told.calls.length ?? 0);
    expect(steps[0]?.toolResults[0]).toMatchObject({ toolName: 'get_weather', output: '18C' });
    expect(upstreams.get(model)?.journal().at(-1)?.fault).toBeUndefined();
  });

  test('RELAY-04 gets an answer in the form of a schema', async () => {
    answer(fixtures.json);
    const output = Output.object({ schema: jsonSchema<{ answer: string }>({ ...answerSchema }) });
    const result = await generateText({ model: modelFor(model), prompt, output, maxRetries: 0 });
    expect(result.output).toEqual({ answer: 'fine' });
  });
});
