import { expect, test } from 'vitest';
import { ask, channel, codecOf, sentRequest, tools, turns } from '../../test/provider-suite/codec-probe.ts';
import { bedrockModel } from './bedrock/bedrock-models.ts';
import { parseBaseUrl } from './base-url.ts';
import type { Provider } from './provider.ts';
import { providerOf } from './providers.ts';

const providerFor = (type: number, key = 'key'): Provider => {
  const provider = providerOf(type, channel(key));
  if (provider === null) throw new Error(`no provider of type ${type}`);
  return provider;
};

test.each([11, 21, 38])('R47 type %i refuses a forced tool call, as it has no tools', (type) => {
  const conversation = { tools, toolChoice: { kind: 'required' } } as const;
  expect(ask(providerFor(type), { conversation, channel: channel('key', 'library') })).toMatchObject({
    kind: 'refusal',
    failure: { status: 400, retryable: true, error: { param: 'tool_choice' } },
  });
});

test('R47 PROVIDER-21 asks the user’s question, not the result of a tool', () => {
  const { body } = sentRequest(providerFor(21), { conversation: { turns }, channel: channel('key', 'library') });
  expect(body).toMatchObject({ query: 'Two' });
});

test('R48 PROVIDER-15 gives the results of parallel calls as one message', () => {
  const results = ['18C', '20C'].map((text, index) => ({
    role: 'tool' as const,
    callId: `call_${index}`,
    name: `tool_${index}`,
    parts: [{ kind: 'text' as const, text }],
    isError: false,
  }));
  const conversation = { turns: [...turns.slice(0, 3), ...results] };
  const { body } = sentRequest(providerFor(15, 'ak|sk'), { conversation, channel: channel('ak|sk') });
  expect(body['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'function', name: 'tool_0', content: '18C\n20C' },
  ]);
});

test('R29 a prompt that is too long is context_length_exceeded on Claude and Bedrock', () => {
  const code = 'context_length_exceeded';
  const error = { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' };
  const claude = Buffer.from(JSON.stringify({ type: 'error', error }));
  expect(codecOf(providerFor(14)).failure(400, claude)).toMatchObject({ status: 400, error: { code } });
  const aws = Buffer.from('{"message":"Input is too long for requested model."}');
  expect(codecOf(providerFor(33)).failure(400, aws)).toMatchObject({ status: 400, error: { code } });
});

test('R45 an address of a WebSocket is a base URL like any other', () => {
  expect(parseBaseUrl('wss://spark-api.xf-yun.com')).toEqual(parseBaseUrl('https://spark-api.xf-yun.com'));
  const key = 'app|secret|key';
  const asked = { channel: channel(key, '', 'wss://spark-api.xf-yun.com'), model: 'Spark-Max' };
  expect(sentRequest(providerFor(18, key), asked).origin).toBe('wss://spark-api.xf-yun.com');
});

test.each([
  ['claude-3-haiku-20240307', 'us-east-1', 'anthropic.claude-3-haiku-20240307-v1:0'],
  ['claude-3-7-sonnet-20250219', 'eu-west-1', 'eu.anthropic.claude-3-7-sonnet-20250219-v1:0'],
  ['claude-sonnet-4-5', 'us-east-1', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['claude-opus-4-1', 'us-west-2', 'us.anthropic.claude-opus-4-1-20250805-v1:0'],
  ['claude-sonnet-4-20250514', 'ap-northeast-1', 'apac.anthropic.claude-sonnet-4-20250514-v1:0'],
  ['claude-haiku-4-5', 'ap-northeast-1', 'jp.anthropic.claude-haiku-4-5-20251001-v1:0'],
  ['claude-sonnet-4-5', 'ap-southeast-2', 'au.anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['claude-opus-4-6', 'eu-central-1', 'eu.anthropic.claude-opus-4-6-v1'],
  ['claude-sonnet-4-6', 'us-east-1', 'us.anthropic.claude-sonnet-4-6'],
  ['claude-sonnet-5', 'sa-east-1', 'global.anthropic.claude-sonnet-5'],
  ['global.anthropic.claude-opus-4-8', 'us-east-1', 'global.anthropic.claude-opus-4-8'],
])('R11 PROVIDER-33 %s in %s is %s', (model, region, id) => {
  expect(bedrockModel(model, region)).toBe(id);
});
