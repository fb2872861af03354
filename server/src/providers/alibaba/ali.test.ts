import { describe, expect, test } from 'vitest';
import {
  codecOf,
  channel,
  sentRequest,
  readEvents,
  turns,
  tools,
  image,
  contentEvent,
  withoutUsage,
  lastUsage,
} from '../../../test/provider-suite/codec-probe.ts';
import { ali } from './ali.ts';
import { providerOf } from '../providers.ts';

describe('PROVIDER-17 Alibaba', () => {
  const at = channel('k', '{"pdf_extracter":{}}');

  test('PROVIDER-17 has two paths, for text and for multimodal models', () => {
    const text = sentRequest(ali, {
      model: 'qwen-plus-internet',
      stream: true,
      conversation: { turns, tools, topP: 1 },
      channel: at,
    });
    expect(text.path).toBe('/api/v1/services/aigc/text-generation/generation');
    expect(text.headers).toEqual(
      expect.arrayContaining(['x-dashscope-sse', 'enable', 'x-dashscope-plugin', '{"pdf_extracter":{}}']),
    );
    expect(text.body).toMatchObject({
      model: 'qwen-plus',
      input: {
        messages: [
          { role: 'user', content: 'One' },
          { role: 'user', content: 'Two' },
          { role: 'assistant', content: '' },
          { role: 'tool', tool_call_id: 'call_1', content: '18C' },
        ],
      },
      parameters: {
        result_format: 'message',
        incremental_output: true,
        top_p: 0.9999,
        enable_search: true,
        tools: [{ type: 'function' }],
      },
    });
    const picture = sentRequest(ali, {
      model: 'qwen-vl-max',
      conversation: { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'What?' }, image] }] },
      channel: at,
    });
    expect(picture.path).toBe('/api/v1/services/aigc/multimodal-generation/generation');
    expect(picture.body).toMatchObject({
      input: { messages: [{ role: 'user', content: [{ text: 'What?' }, { image: 'https://example.org/a.png' }] }] },
    });
    expect(
      providerOf(17, channel('k', '', 'https://dashscope.aliyuncs.com/compatible-mode/v1'))?.native['openai-chat'],
    ).toBeDefined();
  });

  test('PROVIDER-17 streams pieces whose tool calls have an id only once', () => {
    const { events, complete } = readEvents(ali, [
      '{"output":{"choices":[{"message":{"role":"assistant","content":"","reasoning_content":"need weather"},"finish_reason":"null"}]},"usage":{"input_tokens":20,"output_tokens":4,"total_tokens":24},"request_id":"u1"}',
      '{"output":{"choices":[{"message":{"role":"assistant","content":"Let me check.","reasoning_content":""},"finish_reason":"null"}]},"usage":{"input_tokens":20,"output_tokens":7,"total_tokens":27},"request_id":"u1"}',
      '{"output":{"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":"}}]},"finish_reason":"null"}]},"usage":{"input_tokens":20,"output_tokens":9,"total_tokens":29},"request_id":"u1"}',
      '{"output":{"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"index":0,"id":"","type":"function","function":{"arguments":"\\"Paris\\"}"}}]},"finish_reason":"tool_calls"}]},"usage":{"input_tokens":20,"output_tokens":12,"total_tokens":32,"prompt_tokens_details":{"cached_tokens":5},"output_tokens_details":{"reasoning_tokens":4}},"request_id":"u1"}',
    ]);
    expect(complete).toBe(true);
    expect(withoutUsage(events)).toEqual([
      { kind: 'start', id: 'u1' },
      contentEvent('reasoning', 'need weather'),
      contentEvent('text', 'Let me check.'),
      { kind: 'tool_start', index: 0, id: 'call_1', name: 'get_weather' },
      { kind: 'tool_arguments', index: 0, text: '{"city":' },
      { kind: 'tool_arguments', index: 0, text: '"Paris"}' },
      { kind: 'finish', finish: 'tool_calls' },
    ]);
    expect(lastUsage(events)).toMatchObject({ prompt: 20, completion: 12, parts: { cacheRead: 5, reasoning: 4 } });
    const failed = (status: number, code: string, message = 'no') =>
      codecOf(ali).failure(status, Buffer.from(JSON.stringify({ code, message, request_id: 'u' })));
    expect(failed(400, 'DataInspectionFailed')).toMatchObject({ status: 400, error: { code: 'content_filter' } });
    expect(failed(400, 'Arrearage')).toMatchObject({ error: { code: 'insufficient_quota' } });
    expect(failed(429, 'Throttling.RateQuota')).toMatchObject({ status: 429, error: { code: 'rate_limit_exceeded' } });
    expect(failed(400, 'InvalidParameter', 'Range of input length should be [1, 6000]').error.code).toBe(
      'context_length_exceeded',
    );
    expect(failed(500, 'InternalError.Algo')).toMatchObject({ status: 502, retryable: true });
  });
});
