import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addClientVendors, answerInTurn, clientVendors } from './client-vendors.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import type { Fixture } from '../provider-suite/provider-suite.ts';
import { buildRelayApp, type RelayApp } from '../app/relay-app.ts';
import { answerSchema, weatherTool } from './dialect-client.ts';

let relay: RelayApp;
let key = '';
let upstreams: ReadonlyMap<string, FakeUpstream>;

// The SDK warns about unknown models; that is irrelevant here.
Reflect.set(globalThis, 'AI_SDK_LOG_WARNINGS', false);

beforeAll(async () => {
  relay = await buildRelayApp();
  ({ key } = await relay.addUser());
  upstreams = await addClientVendors(relay);
});
afterAll(() => relay.close());

/** The vendor's endpoint that the SDK calls. */
const endpoints = {
  'chat completions': (model: string) => createOpenAI({ apiKey: key, baseURL: `${relay.url}/v1` }).chat(model),
  responses: (model: string) => createOpenAI({ apiKey: key, baseURL: `${relay.url}/v1` }).responses(model),
  content: (model: string) => createGoogleGenerativeAI({ apiKey: key, baseURL: `${relay.url}/v1beta` })(model),
  messages: (model: string) => createAnthropic({ apiKey: key, baseURL: `${relay.url}/v1` })(model),
};

const pairs = Object.entries(endpoints).flatMap(([endpoint, modelFor]) =>
  clientVendors.map((vendor) => ({ endpoint, modelFor, ...vendor })),
);

describe.each(pairs)('RELAY-04 the AI SDK by $endpoint in front of $vendor', ({ modelFor, model, fixtures }) => {
  const answer = (...answers: readonly (Fixture | undefined)[]) => answerInTurn(upstreams.get(model), answers);
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
    expect(steps[0]?.toolResults).toHaveLength(fixtures.tools?.expected.calls.length ?? 0);
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
