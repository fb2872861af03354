import { FunctionCallingConfigMode, GoogleGenAI, type Content } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatFixtures } from '../provider-suite/chat-fixtures.ts';
import { addClientVendors, answerInTurn, clientVendors } from './client-vendors.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import { geminiFixtures } from '../provider-suite/gemini-fixtures.ts';
import type { Fixture } from '../provider-suite/provider-suite.ts';
import { buildRelayApp, type RelayApp } from '../app/relay-app.ts';
import { answerSchema, weatherTool } from './dialect-client.ts';

let relay: RelayApp;
let client: GoogleGenAI;
let upstreams: ReadonlyMap<string, FakeUpstream>;
const gemini = 'gemini-2.5-flash';
const claude = 'claude-opus-4-6';
const foreign = 'vendor-model';

beforeAll(async () => {
  relay = await buildRelayApp();
  const { key } = await relay.addUser();
  client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: relay.url } });
  upstreams = await addClientVendors(relay);
});
afterAll(() => relay.close());

const tools = [
  {
    functionDeclarations: [
      {
        name: weatherTool.name,
        description: weatherTool.description,
        parametersJsonSchema: weatherTool.parameters,
      },
    ],
  },
];

describe.each(clientVendors)(
  'RELAY-03 RELAY-04 the official Google client in front of $vendor',
  ({ model, fixtures }) => {
    const answer = (...answers: readonly (Fixture | undefined)[]) => answerInTurn(upstreams.get(model), answers);
    const config = { maxOutputTokens: 4000, systemInstruction: 'Be brief.' };

    test('RELAY-04 gets content with its usage', async () => {
      answer(fixtures.text);
      const response = await client.models.generateContent({ model, contents: 'How is Paris?', config });
      expect(response.text).toBe('Hello, 世界!');
      expect(response.usageMetadata).toMatchObject({ promptTokenCount: 25, candidatesTokenCount: 15 });
      expect(response.candidates?.[0]?.finishReason).toBe('STOP');
    });

    test('RELAY-04 gathers a stream', async () => {
      answer(fixtures.text);
      let text = '';
      let last;
      for await (const piece of await client.models.generateContentStream({
        model,
        contents: 'How is Paris?',
        config,
      })) {
        text += piece.text ?? '';
        last = piece;
      }
      expect(text).toBe('Hello, 世界!');
      expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    });

    test('RELAY-04 calls a tool and answers with its result', async () => {
      answer(fixtures.tools, fixtures.text);
      const mode = FunctionCallingConfigMode.AUTO;
      const offered = { ...config, tools, toolConfig: { functionCallingConfig: { mode } } };
      const request: Content = { role: 'user', parts: [{ text: 'How is Paris?' }] };
      const first = await client.models.generateContent({ model, contents: [request], config: offered });
      const [call] = first.functionCalls ?? [];
      expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Paris' } });
      const content = first.candidates?.[0]?.content;
      const results = (first.functionCalls ?? []).map(({ id, name }) => ({
        functionResponse: { ...(id !== undefined && { id }), name: name ?? '', response: { result: '18C' } },
      }));
      const contents = [request, ...(content === undefined ? [] : [content]), { role: 'user', parts: results }];
      const second = await client.models.generateContent({ model, contents, config: offered });
      expect(second.text).toBe('Hello, 世界!');
    });

    test('RELAY-04 gets an answer in the form of a schema', async () => {
      answer(fixtures.json);
      const response = await client.models.generateContent({
        model,
        contents: 'How is Paris?',
        config: { ...config, responseMimeType: 'application/json', responseJsonSchema: answerSchema },
      });
      expect(JSON.parse(response.text ?? '')).toEqual({ answer: 'fine' });
    });

    test('RELAY-04 gets failures in its own format', async () => {
      upstreams.get(model)?.behave(() => ({ status: 429, body: '{"error":{"message":"slow down"}}' }));
      await expect(client.models.generateContent({ model, contents: 'How is Paris?', config })).rejects.toMatchObject({
        name: 'ApiError',
        status: 429,
      });
    });
  },
);

test('RELAY-03 counts tokens, lists models, and streams one JSON list if no events are requested', async () => {
  const { totalTokens } = await client.models.countTokens({ model: foreign, contents: 'How is Paris?' });
  expect(totalTokens).toBeGreaterThan(2);
  const names: string[] = [];
  for await (const { name } of await client.models.list()) names.push(name ?? '');
  expect(names).toEqual(expect.arrayContaining([gemini, claude, foreign].map((model) => `models/${model}`)));
  const { key } = await relay.addUser();
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
  for (const [model, fixtures] of [
    [gemini, geminiFixtures],
    [foreign, chatFixtures],
  ] as const) {
    upstreams.get(model)?.behave(() => ({ events: fixtures.text.stream }));
    const url = `${relay.url}/v1beta/models/${model}:streamGenerateContent?key=${key}`;
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.headers.get('content-type')).toContain('application/json');
    const list: unknown = await answer.json();
    expect(JSON.stringify(list)).toContain('"finishReason":"STOP"');
    expect(Array.isArray(list) && list.length > 2).toBe(true);
  }
  const unknown = await fetch(`${relay.url}/v1beta/models/nothing:generateContent?key=${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const reply: unknown = await unknown.json();
  expect(reply).toMatchObject({ error: { code: unknown.status } });
  expect(JSON.stringify(reply)).toContain('nothing');
});
