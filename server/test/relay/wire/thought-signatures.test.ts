import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { geminiForm } from '../../fakes/vendors/fake-gemini.ts';
import { eventData } from '../../parsing/event-data.ts';
import { type Json, listOf, objectOf, parseObject, textOf } from '../../parsing/json.ts';

const model = 'gemini-3-flash';
let relay: RelayApp;
let user: RelayUser;
let gemini: FakeUpstream;

beforeAll(async () => {
  relay = await buildRelayApp();
  gemini = await relay.addUpstream({
    form: geminiForm,
    path: /^\/v1beta\/models\/[^/]+:\w+(\?alt=sse)?$/,
    keyHeader: 'x-goog-api-key',
  });
  await relay.addChannel({ type: 24, base_url: gemini.url, key: gemini.key, models: model });
  user = await relay.addUser();
});
afterAll(() => relay.close());

const answer = (parts: readonly object[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
  modelVersion: model,
  responseId: 'r1',
});
const calling = answer([
  { text: 'need weather', thought: true },
  { functionCall: { id: 'fc-1', name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'c2ln' },
  { functionCall: { id: 'fc-2', name: 'get_weather', args: { city: 'Rome' } } },
]);
const talking = answer([{ text: 'Fine.' }]);

/** The same answer, whole or as one event. */
const answerWith = (body: object) =>
  gemini.behave((request) =>
    request.stream ? { events: [`data: ${JSON.stringify(body)}\r\n\r\n`] } : { body: JSON.stringify(body) },
  );

const parameters = { type: 'object', properties: { city: { type: 'string' } } };

/** How a client of one dialect asks, and goes on with what it was answered. */
interface Loop {
  readonly path: string;
  readonly first: Json;
  /** The request with the results of the tools, after a whole answer, or after a stream of events. */
  next(whole: Json): Json;
  nextStreamed(events: readonly Json[]): Json;
}

const question = { role: 'user', content: 'How is it there?' };
const chatTools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
const chatNext = (message: Json): Json => ({
  tools: chatTools,
  messages: [
    question,
    message,
    ...listOf(message['tool_calls']).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '18C' })),
  ],
});

const messagesTools = [{ name: 'get_weather', input_schema: parameters }];
const messagesNext = (content: readonly Json[]): Json => ({
  max_tokens: 99,
  tools: messagesTools,
  messages: [
    question,
    { role: 'assistant', content },
    {
      role: 'user',
      content: content.flatMap(({ type, id }) =>
        type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: '18C' }] : [],
      ),
    },
  ],
});

/** The blocks of a stream of messages, as official libraries collect them. */
const blocksOf = (events: readonly Json[]): readonly Json[] =>
  events
    .filter(({ type }) => type === 'content_block_start')
    .map(({ index, content_block: block }) => {
      const deltas = events.filter((event) => event['type'] === 'content_block_delta' && event['index'] === index);
      const joined = (name: string) => deltas.map(({ delta }) => textOf(objectOf(delta)[name]) ?? '').join('');
      const started = objectOf(block);
      if (started['type'] === 'tool_use') return { ...started, input: parseObject(joined('partial_json')) };
      return { ...started, thinking: joined('thinking'), signature: joined('signature') };
    });

const responsesTools = [{ type: 'function', name: 'get_weather', parameters }];
const responsesNext = (output: readonly Json[]): Json => ({
  tools: responsesTools,
  store: false,
  input: [
    question,
    ...output,
    ...output.flatMap(({ type, call_id: id }) =>
      type === 'function_call' ? [{ type: 'function_call_output', call_id: id, output: '18C' }] : [],
    ),
  ],
});

const loops: Readonly<Record<string, Loop>> = {
  'chat completions': {
    path: '/v1/chat/completions',
    first: { messages: [question], tools: chatTools },
    next: ({ choices }) => chatNext(objectOf(listOf(choices)[0]?.['message'])),
    nextStreamed: (events) => {
      const deltas = events.flatMap(({ choices }) => listOf(choices).map(({ delta }) => objectOf(delta)));
      const pieces = deltas.flatMap((delta) => listOf(delta['tool_calls']));
      const calls = pieces
        .filter(({ id }) => id !== undefined)
        .map((call) => {
          const text = pieces
            .filter(({ index }) => index === call['index'])
            .map((piece) => textOf(objectOf(piece['function'])['arguments']))
            .join('');
          return { ...call, function: { name: 'get_weather', arguments: text } };
        });
      return chatNext({ role: 'assistant', content: null, tool_calls: calls });
    },
  },
  messages: {
    path: '/v1/messages',
    first: { max_tokens: 99, messages: [question], tools: messagesTools },
    next: ({ content }) => messagesNext(listOf(content)),
    nextStreamed: (events) => messagesNext(blocksOf(events)),
  },
  responses: {
    path: '/v1/responses',
    first: { input: [question], tools: responsesTools, store: false },
    next: ({ output }) => responsesNext(listOf(output)),
    nextStreamed: (events) => responsesNext(listOf(objectOf(events.at(-1)?.['response'])['output'])),
  },
};

const cases = Object.entries(loops).flatMap(([name, loop]) => [false, true].map((stream) => ({ name, loop, stream })));

test.each(cases)('R4 $name give Gemini its thought signature and its ids back, stream: $stream', async (one) => {
  const { loop, stream } = one;
  const ask = (body: Json) =>
    relay.ask({ key: user.key, path: loop.path, body: JSON.stringify({ model, stream, ...body }) });
  answerWith(calling);
  const called = await ask(loop.first);
  expect(called.status, called.text).toBe(200);
  const data = eventData(called.text).filter((text) => text !== '[DONE]');
  const next = stream ? loop.nextStreamed(data.map(parseObject)) : loop.next(called.json);
  answerWith(talking);
  const answered = await ask(next);
  expect(answered.status, answered.text).toBe(200);
  const { contents } = parseObject(gemini.journal().at(-1)?.body.toString() ?? '');
  const call = (id: string, city: string) => ({ functionCall: { id, name: 'get_weather', args: { city } } });
  const result = (id: string) => ({ functionResponse: { id, name: 'get_weather', response: { result: '18C' } } });
  expect(contents).toEqual([
    { role: 'user', parts: [{ text: 'How is it there?' }] },
    { role: 'model', parts: [{ ...call('fc-1', 'Paris'), thoughtSignature: 'c2ln' }, call('fc-2', 'Rome')] },
    { role: 'user', parts: [result('fc-1'), result('fc-2')] },
  ]);
});
