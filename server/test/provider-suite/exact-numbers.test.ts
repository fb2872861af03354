import { describe, expect, test } from 'vitest';
import { call, channel, codecOf, ask as request } from './codec-probe.ts';
import type { Conversion } from '../../src/dialects/dialect.ts';
import { dialectOf } from '../../src/dialects/dialects.ts';
import { providerOf } from '../../src/providers/providers.ts';

const written = '{"id":1234567890123456789,"price":1.10,"many":1e2,"list":[10000000000000001,2.50]}';
const schema = '{"type":"object","properties":{"a":{"type":"number","enum":[1.10,1e2,1234567890123456789]}}}';

/** A body with the written numbers where a text names them: as a value, or within a string. */
const bodyOf = (body: object): string =>
  JSON.stringify(body)
    .replaceAll('"VALUE"', written)
    .replaceAll('"TEXT"', JSON.stringify(written))
    .replaceAll('"SCHEMA"', schema);

const said = { role: 'user', content: 'Go on' };
const requests: readonly (readonly [path: string, body: object])[] = [
  [
    '/v1/chat/completions',
    {
      messages: [
        said,
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: 'TEXT' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'TEXT' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: 'SCHEMA' } }],
    },
  ],
  [
    '/v1/messages',
    {
      max_tokens: 9,
      messages: [
        said,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: 'VALUE' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'TEXT' }] },
      ],
      tools: [{ name: 'f', input_schema: 'SCHEMA' }],
    },
  ],
  [
    '/v1/responses',
    {
      input: [
        said,
        { type: 'function_call', call_id: 'c', name: 'f', arguments: 'TEXT' },
        { type: 'function_call_output', call_id: 'c', output: 'TEXT' },
      ],
      tools: [{ type: 'function', name: 'f', parameters: 'SCHEMA' }],
    },
  ],
  [
    '/v1beta/models/m:generateContent',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Go on' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: 'VALUE' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: 'VALUE' } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', parameters: 'SCHEMA' }] }],
    },
  ],
];

const vendors = [
  [8, 'sk-key', 'm'],
  [14, 'sk-key', 'claude-sonnet-4-5'],
  [17, 'sk-key', 'qwen-max'],
  [24, 'key', 'gemini-2.5-flash'],
  [30, 'key', 'llama3'],
  [33, 'AK|SK|us-east-1', 'amazon.nova-lite-v1:0'],
  [33, 'AK|SK|us-east-1', 'claude-3-opus-20240229'],
  [35, 'key', 'command-a'],
] as const;

const dialectAt = (path: string) => {
  const dialect = dialectOf(path, '');
  if (dialect === null) throw new Error(`no dialect at ${path}`);
  return dialect;
};

const providerAt = (type: number) => {
  const provider = providerOf(type, channel('key'));
  if (provider === null) throw new Error(`no provider of type ${type}`);
  return provider;
};

/** How often a text occurs, also within strings of the JSON. */
const times = (json: string, text: string): number => json.replaceAll('\\', '').split(text).length - 1;

describe.each(requests)('R3 requests of %s', (path, body) => {
  test.each(vendors)('keep numbers for type %i with key %s and model %s', (type, key, model) => {
    const bytes = Buffer.from(bodyOf({ model, ...body }));
    const inbound = dialectAt(path).read(bytes, { path, query: '', contentType: 'application/json' });
    const conversation = inbound.kind === 'fault' ? inbound : inbound.conversation?.();
    if (conversation === undefined || 'kind' in conversation) throw new Error(JSON.stringify(conversation));
    const sent = request(providerAt(type), { conversation, model, channel: channel(key) });
    if ('kind' in sent) throw new Error(JSON.stringify(sent));
    const text = sent.body.toString();
    expect([times(text, written), times(text, schema)], text).toEqual([2, 1]);
  });
});

const answers: readonly (readonly [type: number, body: object])[] = [
  [8, { choices: [{ message: { tool_calls: [{ id: 'c', function: { name: 'f', arguments: 'TEXT' } }] } }] }],
  [8, { choices: [{ message: { tool_calls: [{ id: 'c', function: { name: 'f', arguments: 'VALUE' } }] } }] }],
  [14, { content: [{ type: 'tool_use', id: 'c', name: 'f', input: 'VALUE' }], stop_reason: 'tool_use' }],
  [
    24,
    { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: 'VALUE' } }] }, finishReason: 'STOP' }] },
  ],
  [30, { message: { content: '', tool_calls: [{ function: { name: 'f', arguments: 'VALUE' } }] }, done: true }],
  [
    33,
    {
      output: { message: { content: [{ toolUse: { toolUseId: 'c', name: 'f', input: 'VALUE' } }] } },
      stopReason: 'tool_use',
    },
  ],
];

const conversionAt = (path: string): Conversion => {
  const { conversion } = dialectAt(path);
  if (conversion === undefined) throw new Error(`no conversion at ${path}`);
  return conversion;
};

const facts = {
  requestId: 'r',
  model: 'm',
  created: 1,
  includeUsage: false,
  choices: 1,
  keep: () => undefined,
  members: {},
};

describe.each(requests.map(([path]) => path))('R3 answers at %s', (path) => {
  test.each(answers)('keep the numbers of type %i, case %#', (type, body) => {
    const model = type === 33 ? 'amazon.nova-lite-v1:0' : 'm';
    const answer = codecOf(providerAt(type)).answer(Buffer.from(bodyOf(body)), call(model));
    if ('kind' in answer) throw new Error(JSON.stringify(answer));
    const text = conversionAt(path).answer(answer, facts).toString();
    expect(times(text, written), text).toBe(1);
  });

  test.each(answers.filter(([type]) => type === 24 || type === 30))(
    'keep the numbers of streams of type %i',
    (type, body) => {
      const reader = codecOf(providerAt(type)).events(call('m', true));
      const writer = conversionAt(path).stream(facts);
      const { events } = reader.event(bodyOf(body), Buffer.alloc(0));
      const text = `${writer.write(events)?.toString()}${writer.end().toString()}`;
      expect(times(text, written), text).toBeGreaterThan(0);
    },
  );
});
