import { describe, expect, test } from 'vitest';
import { plainConversation } from '../../../test/provider-suite/conversation.ts';
import { providerCall } from '../../../test/provider-suite/provider-call.ts';
import type { StreamEvent } from '../../conversation/answer.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { parseJson } from '../../conversation/json.ts';
import { parseBaseUrl } from '../base-url.ts';
import { ollamaAnswer, ollamaEvents } from './ollama-answer.ts';
import { ollama } from './ollama.ts';
import type { ProviderChannel, ProviderCall } from '../provider.ts';
import { providerOf } from '../providers.ts';

const channel: ProviderChannel = { base: parseBaseUrl('http://127.0.0.1:11434'), key: 'ollama', other: '' };

const ask = (
  conversation: Partial<Conversation>,
  call: Partial<ProviderCall> = {},
  at: Partial<ProviderChannel> = {},
) =>
  ollama.codec?.request({ ...plainConversation, ...conversation }, providerCall({ model: 'llama3', ...call }), {
    ...channel,
    ...at,
  });
const sent = (...args: Parameters<typeof ask>) => {
  const request = ask(...args);
  if (request === undefined || 'kind' in request) throw new Error(`no request: ${JSON.stringify(request)}`);
  return request;
};
const bodyOf = (...args: Parameters<typeof ask>): unknown => parseJson(sent(...args).body.toString());

describe('PROVIDER-30 writes requests to Ollama', () => {
  test('PROVIDER-30 at its chat address, with a key where it has one', () => {
    expect(sent({})).toMatchObject({
      origin: 'http://127.0.0.1:11434',
      path: '/api/chat',
      headers: ['content-type', 'application/json'],
    });
    expect(sent({}, {}, { key: 'k' }).headers).toEqual([
      'content-type',
      'application/json',
      'authorization',
      'Bearer k',
    ]);
    expect(bodyOf({})).toEqual({ model: 'llama3', messages: [{ role: 'user', content: 'Hi' }], stream: false });
    expect(bodyOf({}, { stream: true })).toMatchObject({ stream: true });
    expect(ask({}, {}, { base: null })).toMatchObject({ kind: 'fault' });
    const compatible = providerOf(30, { ...channel, base: parseBaseUrl('http://127.0.0.1:11434/v1') });
    expect(compatible?.native['openai-chat']).toBeDefined();
  });

  test('PROVIDER-30 with images, calls and their results as it has them', () => {
    const image = { kind: 'image', source: { kind: 'data', mime: 'image/png', base64: 'AAAA' }, detail: null } as const;
    const body = bodyOf({
      system: [{ kind: 'text', text: 'Be brief.' }],
      turns: [
        { role: 'user', parts: [{ kind: 'text', text: 'One' }, image, { kind: 'text', text: 'Two' }] },
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'hm', signature: '' },
            { kind: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
          ],
        },
        { role: 'tool', callId: 'call_1', name: '', parts: [{ kind: 'text', text: '18C' }], isError: false },
      ],
    });
    expect(body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One\nTwo', images: ['AAAA'] },
        {
          role: 'assistant',
          content: '',
          thinking: 'hm',
          tool_calls: [{ id: 'call_1', function: { name: 'get_weather', arguments: { city: 'Paris' } } }],
        },
        { role: 'tool', content: '18C', tool_name: 'get_weather', tool_call_id: 'call_1' },
      ],
    });
    const byAddress = { ...image, source: { kind: 'url', url: 'https://example.org/a.png' } } as const;
    for (const part of [byAddress, { kind: 'audio', format: 'wav', base64: '' } as const]) {
      expect(ask({ turns: [{ role: 'user', parts: [part] }] })).toMatchObject({ kind: 'refusal' });
    }
  });

  test('PROVIDER-30 with tools, formats, thinking and options', () => {
    const tools = [{ name: 't', description: 'd', parameters: null, strict: null }];
    const schema = { type: 'object' };
    const body = bodyOf({
      tools,
      outputLimit: 9,
      temperature: 0,
      stop: ['x'],
      members: { num_ctx: 4096 },
      answerFormat: { kind: 'schema', name: 'a', description: '', schema, strict: null },
      reasoning: { effort: 'high', budget: null, visible: true },
    });
    expect(body).toMatchObject({
      tools: [{ type: 'function', function: { name: 't', description: 'd' } }],
      format: schema,
      think: true,
      options: { num_predict: 9, temperature: 0, stop: ['x'], num_ctx: 4096 },
    });
    expect(bodyOf({ tools, toolChoice: { kind: 'none' } })).not.toHaveProperty('tools');
    expect(bodyOf({ answerFormat: { kind: 'json' } })).toMatchObject({ format: 'json' });
    const thinking = (effort: 'none' | 'xhigh', model: string) =>
      bodyOf({ reasoning: { effort, budget: null, visible: false } }, { model });
    expect(thinking('none', 'qwen3')).toMatchObject({ think: false });
    expect(thinking('xhigh', 'gpt-oss:20b')).toMatchObject({ think: 'high' });
  });
});

/** From the vendor's reference. */
const lines = [
  '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"need weather"},"done":false}',
  '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Let me check."},"done":false}',
  '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"index":0,"name":"get_weather","arguments":{"city":"Paris"}}}]},"done":false}',
  '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":20,"eval_count":12}',
];

describe('PROVIDER-30 reads Ollama', () => {
  test('PROVIDER-30 line by line, to the one marked as last', () => {
    const reader = ollamaEvents(providerCall({ requestId: 'r' }));
    const steps = lines.map((line) => reader.event(line, Buffer.from(line)));
    expect(steps.map(({ done }) => done)).toEqual([undefined, undefined, undefined, true]);
    const events: readonly StreamEvent[] = steps.flatMap((step) => step.events);
    expect(events).toEqual([
      { kind: 'start', id: '' },
      { kind: 'reasoning', text: 'need weather' },
      { kind: 'text', text: 'Let me check.' },
      { kind: 'tool_start', index: 0, id: 'call_r_0', name: 'get_weather' },
      { kind: 'tool_arguments', index: 0, text: '{"city":"Paris"}' },
      { kind: 'usage', usage: { prompt: 20, completion: 12, total: undefined } },
      { kind: 'finish', finish: 'tool_calls' },
    ]);
    expect(reader.finished()).toBe(false);
  });

  test('PROVIDER-30 a whole answer, and one that ended at its limit', () => {
    const body = { message: { role: 'assistant', content: 'Hi' }, done: true, done_reason: 'length', eval_count: 1 };
    expect(ollamaAnswer(Buffer.from(JSON.stringify(body)), providerCall())).toMatchObject({
      parts: [{ kind: 'text', text: 'Hi' }],
      finish: 'length',
      usage: { prompt: undefined, completion: 1 },
    });
  });

  test('PROVIDER-30 errors, also in the middle of a stream', () => {
    expect(ollamaAnswer(Buffer.from('[]'), providerCall())).toMatchObject({
      kind: 'refusal',
      failure: { status: 502 },
    });
    expect(ollamaAnswer(Buffer.from('{}'), providerCall())).toMatchObject({
      kind: 'refusal',
      failure: { status: 502 },
    });
    const reader = ollamaEvents(providerCall());
    expect(reader.event('{"error":"out of memory"}', Buffer.from('')).failure).toMatchObject({
      error: { message: 'out of memory' },
    });
    const missing = '{"error":"model \\"x\\" not found, try pulling it first"}';
    expect(ollama.codec?.failure(404, Buffer.from(missing))).toMatchObject({ status: 404, retryable: true });
  });
});
