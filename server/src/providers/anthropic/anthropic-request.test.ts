import { describe, expect, test } from 'vitest';
import { plainConversation } from '../../../test/provider-suite/conversation.ts';
import { providerCall } from '../../../test/provider-suite/provider-call.ts';
import type { AssistantPart, Conversation, Reasoning, Turn } from '../../conversation/conversation.ts';
import { anthropicBody } from './anthropic-request.ts';
import { anthropic } from './anthropic.ts';
import { parseBaseUrl } from '../base-url.ts';
import type { ProviderChannel } from '../provider.ts';

const old = 'claude-3-5-sonnet-20241022';
const budgeted = 'claude-sonnet-4-5';
const adaptive = 'claude-opus-4-6';
const late = 'claude-opus-4-8';

const bodyOf = (values: Partial<Conversation>, model = budgeted, known: { outputMax?: () => number | null } = {}) =>
  anthropicBody({ ...plainConversation, ...values }, { model, stream: false, ...known });
const think = (values: Partial<Reasoning>): Pick<Conversation, 'reasoning'> => ({
  reasoning: { effort: null, budget: null, visible: true, ...values },
});
const user = (text: string): Turn => ({ role: 'user', parts: [{ kind: 'text', text }] });
const assistant = (...parts: readonly AssistantPart[]): Turn => ({ role: 'assistant', parts });
const result = (callId: string, text: string): Turn => ({
  role: 'tool',
  callId,
  name: '',
  parts: [{ kind: 'text', text }],
  isError: false,
});
const call = (id: string): AssistantPart => ({ kind: 'tool_call', id, name: 'find', arguments: '{"q":1}' });
const tool = { name: 'find', description: '', parameters: null, strict: null };

describe('PROVIDER-14 requests thinking as each model supports it', () => {
  test.each([
    { model: old, reasoning: { effort: 'high' as const }, expected: undefined },
    { model: budgeted, reasoning: { effort: 'low' as const }, expected: { type: 'enabled', budget_tokens: 2048 } },
    { model: budgeted, reasoning: { budget: 5000 }, expected: { type: 'enabled', budget_tokens: 5000 } },
    { model: budgeted, reasoning: { budget: 10 }, expected: { type: 'enabled', budget_tokens: 1024 } },
    { model: budgeted, reasoning: { effort: 'none' as const }, expected: { type: 'disabled' } },
    { model: adaptive, reasoning: { budget: 5000 }, expected: { type: 'adaptive' } },
    { model: late, reasoning: { effort: 'max' as const }, expected: { type: 'adaptive', display: 'summarized' } },
    { model: late, reasoning: { visible: false }, expected: { type: 'adaptive' } },
  ])('PROVIDER-14 $model, $reasoning', ({ model, reasoning, expected }) => {
    expect(bodyOf(think(reasoning), model)['thinking']).toEqual(expected);
  });

  test('R12 PROVIDER-14 a budget is less than the output, which is the longest of the model where nothing bounds it', () => {
    expect(bodyOf({ ...think({ effort: 'high' }), outputLimit: 4000 })).toMatchObject({
      max_tokens: 4000,
      thinking: { budget_tokens: 3999 },
    });
    expect(bodyOf(think({ effort: 'high' }))).toMatchObject({
      max_tokens: 64_000,
      thinking: { budget_tokens: 16_384 },
    });
    for (const [model, most] of [
      ['claude-3-haiku-20240307', 4096],
      ['claude-3-5-sonnet-20241022', 8192],
      ['claude-opus-4-1-20250805', 32_000],
      ['claude-opus-4-5', 64_000],
      ['claude-sonnet-4-6', 64_000],
      ['claude-opus-4-6', 128_000],
      ['claude-sonnet-5', 128_000],
    ] as const)
      expect(bodyOf({}, model)).toMatchObject({ max_tokens: most });
    expect(bodyOf({}, 'claude-opus-9', { outputMax: () => 200_000 })).toMatchObject({ max_tokens: 200_000 });
    expect(bodyOf({}, old, { outputMax: () => null })).toMatchObject({ max_tokens: 8192 });
    expect(bodyOf(think({ effort: 'high' }), budgeted, { outputMax: () => 9000 })).toMatchObject({
      max_tokens: 9000,
      thinking: { budget_tokens: 8999 },
    });
    expect(bodyOf(think({ effort: 'xhigh' }), 'claude-opus-4-1')).toMatchObject({
      thinking: { budget_tokens: 31_999 },
    });
    expect(bodyOf({ ...think({ effort: 'high' }), outputLimit: 500 })).not.toHaveProperty('thinking');
  });

  test('PROVIDER-14 efforts have the names that the model knows', () => {
    const effort = (value: Reasoning['effort'], model: string) =>
      bodyOf(think({ effort: value }), model)['output_config'];
    expect(effort('minimal', late)).toEqual({ effort: 'low' });
    expect(effort('xhigh', late)).toEqual({ effort: 'xhigh' });
    expect(effort('xhigh', adaptive)).toEqual({ effort: 'high' });
    expect(bodyOf(think({ budget: 20_000 }), late)['output_config']).toEqual({ effort: 'high' });
  });

  test('PROVIDER-14 no budget where a tool is forced, or calls come without the thinking before them', () => {
    const tools = [tool];
    expect(bodyOf({ ...think({ budget: 2000 }), tools, toolChoice: { kind: 'required' } })).not.toHaveProperty(
      'thinking',
    );
    const turns = [user('a'), assistant(call('c1')), result('c1', 'r')];
    expect(bodyOf({ ...think({ budget: 2000 }), tools, turns })).not.toHaveProperty('thinking');
    const signed = [
      user('a'),
      assistant({ kind: 'reasoning', text: 't', signature: 's' }, call('c1')),
      result('c1', 'r'),
    ];
    expect(bodyOf({ ...think({ budget: 2000 }), tools, turns: signed })).toHaveProperty('thinking');
  });
});

describe('PROVIDER-14 sends what samples', () => {
  test('PROVIDER-14 within the bounds of the API, one of two where both are refused, none where none is taken', () => {
    const sampled = { temperature: 1.7, topP: 0.5, topK: 7 };
    expect(bodyOf(sampled, old)).toMatchObject({ temperature: 1, top_p: 0.5, top_k: 7 });
    expect(bodyOf(sampled, budgeted)).toMatchObject({ temperature: 1, top_k: 7 });
    expect(bodyOf(sampled, budgeted)).not.toHaveProperty('top_p');
    expect(bodyOf({ topP: 0.5 }, budgeted)).toHaveProperty('top_p', 0.5);
    for (const name of ['temperature', 'top_p', 'top_k']) expect(bodyOf(sampled, late)).not.toHaveProperty(name);
    expect(bodyOf({ ...sampled, ...think({ budget: 2000 }) }, budgeted)).not.toHaveProperty('temperature');
  });
});

describe('PROVIDER-14 writes turns', () => {
  test('PROVIDER-14 alternates roles, puts tool results first, and moves system messages to their member', () => {
    const turns = [
      user('one'),
      assistant({ kind: 'text', text: 'hm' }, call('c1'), call('c:2')),
      result('c1', 'first'),
      result('c:2', 'second'),
      { role: 'system', parts: [{ kind: 'text', text: 'be kind' }] } as const,
      user('two'),
      user('three'),
    ];
    const body = bodyOf({ turns, tools: [tool], system: [{ kind: 'text', text: 'be brief' }] });
    expect(body['system']).toEqual([
      { type: 'text', text: 'be brief' },
      { type: 'text', text: 'be kind' },
    ]);
    expect(body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'hm' },
          { type: 'tool_use', id: 'c1', name: 'find', input: { q: 1 } },
          { type: 'tool_use', id: 'c_2', name: 'find', input: { q: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'first' }] },
          { type: 'tool_result', tool_use_id: 'c_2', content: [{ type: 'text', text: 'second' }] },
          { type: 'text', text: 'two' },
          { type: 'text', text: 'three' },
        ],
      },
    ]);
  });

  test('PROVIDER-14 drops empty texts, begins with the user, and ends as the model takes it', () => {
    const begun = [user(' '), assistant({ kind: 'text', text: 'It is ' })];
    expect(bodyOf({ turns: begun }, budgeted)['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: '.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It is' }] },
    ]);
    expect(bodyOf({ turns: begun }, late)['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ text: 'Continue.' }] },
    ]);
  });

  test('PROVIDER-14 gives signed thinking back, and none that another vendor wrote', () => {
    const said = assistant(
      { kind: 'reasoning', text: 'mine', signature: 's' },
      { kind: 'reasoning', text: '', signature: 'r', redacted: true },
      { kind: 'reasoning', text: 'of another', signature: '' },
      { kind: 'text', text: 'so' },
    );
    expect(bodyOf({ turns: [user('a'), said, user('b')] })['messages']).toMatchObject([
      {},
      {
        content: [
          { type: 'thinking', thinking: 'mine', signature: 's' },
          { type: 'redacted_thinking', data: 'r' },
          { type: 'text', text: 'so' },
        ],
      },
      {},
    ]);
  });

  test('PROVIDER-14 describes tools that were called but are offered no more', () => {
    const turns = [user('a'), assistant(call('c1')), result('c1', 'r')];
    expect(bodyOf({ turns })).toMatchObject({ tools: [{ name: 'find' }], tool_choice: { type: 'none' } });
  });
});

describe('PROVIDER-14 requests an answer format', () => {
  const answerFormat = {
    kind: 'schema',
    name: 'reply',
    description: '',
    schema: { type: 'object', properties: {} },
    strict: true,
  } as const;
  const answering = (model: string, values: Partial<Conversation> = {}) => {
    const conversation = { ...plainConversation, answerFormat, ...values };
    return { model, conversation: () => conversation };
  };

  test('PROVIDER-14 by schema where the model takes one', () => {
    expect(bodyOf({ answerFormat })['output_config']).toEqual({
      format: { type: 'json_schema', schema: { ...answerFormat.schema, additionalProperties: false } },
    });
  });

  test('R9 restrictions that the vendor refuses are moved into the description', () => {
    const age = { type: 'integer', description: 'In years', minimum: 0, maximum: 1e2 };
    const tags = { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', maxLength: 9, format: 'slug' } };
    const properties = { age, tags, at: { oneOf: [{ type: 'string', format: 'date' }, { type: 'null' }] } };
    const schema = { type: 'object', properties, required: ['age'] };
    expect(bodyOf({ answerFormat: { ...answerFormat, schema } })['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['age'],
          properties: {
            age: { type: 'integer', description: 'In years\n\n{"minimum":0,"maximum":100}' },
            tags: {
              type: 'array',
              minItems: 1,
              description: '{"maxItems":3}',
              items: { type: 'string', description: '{"maxLength":9,"format":"slug"}' },
            },
            at: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
          },
        },
      },
    });
  });

  test('PROVIDER-14 by a forced tool call where it does not, whose arguments are the answer', () => {
    expect(bodyOf({ answerFormat }, old)).toMatchObject({
      tools: [{ name: 'json_output', input_schema: answerFormat.schema }],
      tool_choice: { type: 'tool', name: 'json_output' },
    });
    const whole = {
      id: 'msg_1',
      content: [{ type: 'tool_use', id: 't', name: 'json_output', input: { a: 1 } }],
      stop_reason: 'tool_use',
    };
    const answer = anthropic.codec?.answer(Buffer.from(JSON.stringify(whole)), providerCall(answering(old)));
    expect(answer).toMatchObject({ parts: [{ kind: 'text', text: '{"a":1}' }], finish: 'stop' });
    const reader = anthropic.codec?.events(providerCall(answering(old)));
    const events = [
      { type: 'content_block_start', content_block: { type: 'tool_use', id: 't', name: 'json_output', input: {} } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
      { type: 'content_block_stop' },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
    ].flatMap((event) => reader?.event(JSON.stringify(event), Buffer.alloc(0)).events ?? []);
    expect(events).toMatchObject([
      { kind: 'text', text: '{"a":1}' },
      { kind: 'usage' },
      { kind: 'finish', finish: 'stop' },
    ]);
  });

  test('PROVIDER-14 by an instruction beside other tools, and for any JSON', () => {
    expect(JSON.stringify(bodyOf({ answerFormat, tools: [tool] }, old)['system'])).toContain('JSON Schema');
    expect(JSON.stringify(bodyOf({ answerFormat: { kind: 'json' } })['system'])).toContain('JSON object');
  });
});

describe('PROVIDER-14 reaches the API', () => {
  const channel: ProviderChannel = { base: parseBaseUrl('https://api.anthropic.com'), key: 'sk-ant-api-1', other: '' };
  const ask = (values: Parameters<typeof providerCall>[0], at: Partial<ProviderChannel> = {}) => {
    const request = anthropic.codec?.request(plainConversation, providerCall(values), { ...channel, ...at });
    if (request === undefined || 'kind' in request) throw new Error(`no request: ${JSON.stringify(request)}`);
    return request;
  };

  test('PROVIDER-14 with the key in its header, or as a bearer token where it is one', () => {
    expect(ask({}).headers.join('\n')).toContain('x-api-key\nsk-ant-api-1');
    expect(ask({}).headers.join('\n')).toContain('anthropic-version\n2023-06-01');
    const bearer = ask({}, { key: 'sk-ant-oat01-x' }).headers;
    expect(bearer.join('\n')).toContain('authorization\nBearer sk-ant-oat01-x');
    expect(bearer).not.toContain('x-api-key');
  });

  test('PROVIDER-14 on its own path and on those of proxies', () => {
    expect(ask({}).path).toBe('/v1/messages');
    expect(ask({ query: '?x=1' }).path).toBe('/v1/messages');
    expect(ask({}, { base: parseBaseUrl('https://proxy.example/claude/v1') }).path).toBe('/claude/v1/messages');
    const messages = anthropic.native['anthropic-messages'];
    const native = messages?.request(
      providerCall({ format: 'anthropic-messages', query: '?beta=true', headers: { 'anthropic-beta': 'a,b' } }),
      channel,
    );
    expect(native).toMatchObject({ path: '/v1/messages?beta=true' });
    expect(JSON.stringify(native)).toContain('"anthropic-beta","a,b"');
  });

  test('PROVIDER-14 refuses what it has no block for, so that another channel may serve it', () => {
    const audio: Turn = { role: 'user', parts: [{ kind: 'audio', format: 'wav', base64: 'AAAA' }] };
    const request = anthropic.codec?.request({ ...plainConversation, turns: [audio] }, providerCall(), channel);
    expect(request).toMatchObject({ kind: 'refusal', failure: { status: 400, retryable: true } });
    for (const broken of [{ base: null }, { key: 'a\nb' }])
      expect(anthropic.codec?.request(plainConversation, providerCall(), { ...channel, ...broken })).toMatchObject({
        kind: 'fault',
      });
  });
});
