import { describe, expect, test } from 'vitest';
import {
  codecOf,
  call,
  channel,
  ask,
  sentRequest,
  readEvents,
  turns,
  parameters,
  tools,
  system,
  contentEvent,
  toolCallEvents,
  withoutUsage,
  lastUsage,
} from '../../../test/provider-suite/codec-probe.ts';
import { providerOf } from '../providers.ts';
import { tencent } from './tencent.ts';

describe('PROVIDER-23 Tencent', () => {
  const at = channel('app|id|secret');

  test('PROVIDER-23 signs the exact bytes of the body', () => {
    const { path, headers, body } = sentRequest(tencent, { conversation: { system, turns, tools }, channel: at });
    expect(path).toBe('/');
    expect(headers.at(-1)).toMatch(
      /^TC3-HMAC-SHA256 Credential=id\/2026-09-21\/hunyuan\/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=[0-9a-f]{64}$/,
    );
    expect(body).toMatchObject({
      Model: 'm',
      Messages: [
        { Role: 'system', Content: 'Be brief.' },
        { Role: 'user', Content: 'One\nTwo' },
        { Role: 'assistant', ToolCalls: [{ Id: 'call_1', Function: { Name: 'get_weather' } }] },
        { Role: 'tool', ToolCallId: 'call_1', Content: '18C' },
      ],
      Tools: [{ Type: 'function', Function: { Name: 'get_weather', Parameters: JSON.stringify(parameters) } }],
    });
    expect(ask(tencent, { channel: channel('only-one') })).toMatchObject({ kind: 'fault' });
    expect(providerOf(23, channel('sk-plain'))?.native['openai-chat']).toBeDefined();
  });

  test('PROVIDER-23 streams without a wrapper, answers with one, and fails with status 200', () => {
    const { events, complete } = readEvents(tencent, [
      '{"Choices":[{"Delta":{"Role":"assistant","Content":"Let me check."},"FinishReason":""}],"Created":1,"Id":"x","Usage":{"PromptTokens":20,"CompletionTokens":7,"TotalTokens":27},"Note":""}',
      '{"Choices":[{"Delta":{"Role":"assistant","Content":"","ToolCalls":[{"Index":0,"Id":"call_1","Type":"function","Function":{"Name":"get_weather","Arguments":"{\\"city\\":\\"Paris\\"}"}}]},"FinishReason":""}],"Created":1,"Id":"x","Usage":{"PromptTokens":20,"CompletionTokens":12,"TotalTokens":32},"Note":""}',
      '{"Choices":[{"Delta":{"Role":"assistant","Content":""},"FinishReason":"tool_calls"}],"Created":1,"Id":"x","Usage":{"PromptTokens":20,"CompletionTokens":12,"TotalTokens":32},"Note":""}',
    ]);
    expect(withoutUsage(events)).toEqual([
      { kind: 'start', id: 'x' },
      contentEvent('text', 'Let me check.'),
      ...toolCallEvents('call_1'),
      { kind: 'finish', finish: 'tool_calls' },
    ]);
    expect({ complete, usage: lastUsage(events) }).toMatchObject({
      complete: true,
      usage: { prompt: 20, completion: 12 },
    });
    const whole = (body: unknown) => codecOf(tencent).answer(Buffer.from(JSON.stringify(body)), call());
    const choice = { FinishReason: 'sensitive', Message: { Role: 'assistant', Content: 'Hi' } };
    const usage = { PromptTokens: 3, CompletionTokens: 1, TotalTokens: 4 };
    expect(whole({ Response: { Id: 'x', Choices: [choice], Usage: usage } })).toMatchObject({
      parts: [{ kind: 'text', text: 'Hi' }],
      finish: 'content_filter',
      usage: { prompt: 3, completion: 1, total: 4 },
    });
    const failed = (Code: string) => whole({ Response: { Error: { Code, Message: 'no' }, RequestId: 'r' } });
    expect(failed('AuthFailure.SignatureFailure')).toMatchObject({ failure: { status: 401 } });
    expect(failed('RequestLimitExceeded.UinLimitExceeded')).toMatchObject({ failure: { status: 429 } });
    expect(failed('FailedOperation.ResourcePackExhausted')).toMatchObject({
      failure: { error: { code: 'insufficient_quota' } },
    });
    expect(failed('OperationDenied.TextIllegalDetected')).toMatchObject({
      failure: { status: 400, error: { code: 'content_filter' } },
    });
  });
});
