import { expect } from 'vitest';
import type { Fixture } from './provider-suite.ts';
import { pixel } from '../clients/dialect-client.ts';

/** One event of a stream. */
export const anthropicEvent = (data: Readonly<Record<string, unknown>>): string =>
  `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;

const message = (content: readonly object[], stopReason: string, usage: object): string =>
  JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  });

const begin = (usage: object): string =>
  anthropicEvent({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });

const block = (index: number, content: object, deltas: readonly object[]): readonly string[] => [
  anthropicEvent({ type: 'content_block_start', index, content_block: content }),
  ...deltas.map((delta) => anthropicEvent({ type: 'content_block_delta', index, delta })),
  anthropicEvent({ type: 'content_block_stop', index }),
];

const end = (stopReason: string, outputTokens: number): readonly string[] => [
  anthropicEvent({
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  }),
  anthropicEvent({ type: 'message_stop' }),
];

const textDelta = (text: string) => ({ type: 'text_delta', text });
const jsonDelta = (json: string) => ({ type: 'input_json_delta', partial_json: json });
const source = 'Messages API reference and streaming guide (provider notes 5 and 21.2)';

const textFixture: Fixture = {
  origin: 'documentation',
  source,
  whole: message([{ type: 'text', text: 'Hello, 世界!' }], 'end_turn', { input_tokens: 25, output_tokens: 15 }),
  stream: [
    begin({ input_tokens: 25 }),
    ...block(0, { type: 'text', text: '' }, [textDelta('Hello, '), textDelta('世界'), textDelta('!')]),
    anthropicEvent({ type: 'ping' }),
    ...end('end_turn', 15),
  ],
  expected: { text: 'Hello, 世界!', reasoning: '', calls: [], finish: 'stop', usage: { prompt: 25, completion: 15 } },
  checkRequest: (body) => {
    expect(body['max_tokens']).toBe(4000);
    expect(JSON.stringify(body['system'])).toContain('Be brief.');
  },
};

const cached = { input_tokens: 15, cache_creation_input_tokens: 0, cache_read_input_tokens: 5 };

const toolsFixture: Fixture = {
  origin: 'documentation',
  source,
  whole: message(
    [
      { type: 'thinking', thinking: 'need weather', signature: 'c2ln' },
      { type: 'text', text: 'Let me check.' },
      { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
      { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
    ],
    'tool_use',
    { ...cached, output_tokens: 12 },
  ),
  stream: [
    begin(cached),
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'need weather' },
      { type: 'signature_delta', signature: 'c2ln' },
    ]),
    ...block(1, { type: 'text', text: '' }, [textDelta('Let me check.')]),
    ...block(2, { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }, [
      jsonDelta(''),
      jsonDelta('{"city":'),
      jsonDelta('"Paris"}'),
    ]),
    ...block(3, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }, [jsonDelta('')]),
    ...end('tool_use', 12),
  ],
  expected: {
    text: 'Let me check.',
    reasoning: 'need weather',
    calls: [
      { id: 'toolu_1', name: 'get_weather', arguments: { city: 'Paris' } },
      { id: 'toolu_2', name: 'now', arguments: {} },
    ],
    finish: 'tool_calls',
    usage: { prompt: 20, completion: 12 },
  },
  checkRequest: ({ tools }) =>
    expect(tools).toMatchObject([{ name: 'get_weather', input_schema: { type: 'object', required: ['city'] } }]),
};

const imageFixture: Fixture = {
  ...textFixture,
  checkRequest: ({ messages }) =>
    expect(messages).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
        ],
      },
    ]),
};

const json = '{"answer":"fine"}';
const jsonFixture: Fixture = {
  origin: 'documentation',
  source: 'Structured outputs guide',
  whole: message([{ type: 'text', text: json }], 'end_turn', { input_tokens: 9, output_tokens: 7 }),
  stream: [
    begin({ input_tokens: 9 }),
    ...block(0, { type: 'text', text: '' }, [textDelta('{"answer"'), textDelta(':"fine"}')]),
    ...end('end_turn', 7),
  ],
  expected: { text: json, reasoning: '', calls: [], finish: 'stop', usage: { prompt: 9, completion: 7 } },
  checkRequest: (body) =>
    expect(body['output_config']).toMatchObject({ format: { type: 'json_schema', schema: { required: ['answer'] } } }),
};

const resultsFixture: Fixture = {
  ...textFixture,
  checkRequest: ({ messages }) =>
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', input: { city: 'Paris' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1' }] },
    ]),
};

/** What the Messages API answers to each kind of question. */
export const anthropicFixtures = {
  text: textFixture,
  tools: toolsFixture,
  image: imageFixture,
  json: jsonFixture,
  results: resultsFixture,
};
