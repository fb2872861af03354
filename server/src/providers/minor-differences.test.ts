import { vendorList, vendorOf } from '@weir/contract/catalogue/vendors';
import { expect, test } from 'vitest';
import { ask, channel, codecOf, sentRequest, tools, turns } from '../../test/provider-suite/codec-probe.ts';
import { providerCall } from '../../test/provider-suite/provider-call.ts';
import { objectsAt } from '../conversation/json.ts';
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

test('R10 PROVIDER-35 ranks at Cohere’s own address, whatever version the base URL has', () => {
  const ranks = providerFor(35).native.rerank;
  const paths = ['', '/v1', '/v2'].map((version) => {
    const at = channel('key', '', `https://api.cohere.com${version}`);
    return ranks?.request(providerCall({ format: 'rerank', path: '/v1/rerank' }), at);
  });
  expect(paths).toMatchObject(Array(3).fill({ origin: 'https://api.cohere.com', path: '/v2/rerank' }));
});

test('R50 PROVIDER-35 costs the tokens that Cohere bills, not those that its model processed', () => {
  const body = (usage: object) =>
    Buffer.from(JSON.stringify({ id: 'i', finish_reason: 'COMPLETE', message: { content: [] }, usage }));
  const tokens = { input_tokens: 900, output_tokens: 90 };
  const usageOf = (usage: object) => codecOf(providerFor(35)).answer(body(usage), providerCall());
  expect(usageOf({ billed_units: { input_tokens: 8, output_tokens: 3 }, tokens })).toMatchObject({
    usage: { prompt: 8, completion: 3 },
  });
  expect(usageOf({ tokens })).toMatchObject({ usage: { prompt: 900, completion: 90 } });
});

test.each([
  ['11200', 429, 'insufficient_quota'],
  ['10907', 400, 'context_length_exceeded'],
  ['10013', 400, 'content_filter'],
])('R52 PROVIDER-48 reads Spark’s code %s where it is a text within the error', (code, status, expected) => {
  const spark = providerFor(48).native['openai-chat'];
  const body = Buffer.from(JSON.stringify({ error: { message: 'AppIdNoAuthError', type: 'api_error', code } }));
  const reported = spark?.response(body, providerCall());
  const failed = { status, error: { code: expected } };
  expect(reported).toMatchObject({ kind: 'failure', failure: failed });
  expect(spark?.failure(500, body)).toMatchObject(failed);
});

test.each([
  {
    code: 500,
    statusText: 'aiPointsNotEnough',
    message: 'common:code_error.team_error.ai_points_not_enough',
    data: null,
  },
  { code: 500, statusText: '', message: 'AI 积分不足', data: null },
  { message: 'AI points are insufficient' },
])('R52 PROVIDER-22 a FastGPT account without points is one without money: %j', (body) => {
  const fastGpt = providerFor(22).native['openai-chat'];
  const reported = fastGpt?.response(Buffer.from(JSON.stringify(body)), providerCall());
  expect(reported).toMatchObject({ failure: { status: 429, retryable: true, error: { code: 'insufficient_quota' } } });
});

test.each([8, 50])('R30 type %i passes top_k on to models that are not of OpenAI', (type) => {
  const topKOf = (asked: number, model: string) =>
    sentRequest(providerFor(asked), { conversation: { topK: 7 }, model, channel: channel('key') }).body['top_k'];
  expect(topKOf(type, 'qwen3-8b')).toBe(7);
  for (const model of ['gpt-4o', 'o3', 'gpt-5']) expect(topKOf(type, model), model).toBeUndefined();
  expect(topKOf(1, 'qwen3-8b')).toBeUndefined();
});

test('R53 PROVIDER-34 the form says how a Coze model is named, and no other type has such a form', () => {
  const named = vendorList.filter(({ modelHint }) => modelHint !== undefined);
  expect(named.map(({ id, modelHint }) => [id, modelHint])).toEqual([[34, 'bot-<id>']]);
});

test('R53 keys of the later types of Baidu and Spark have a hint', () => {
  expect([47, 48].map((type) => vendorOf(type)?.keyHint)).toEqual(['bce-v3/ALTAK-…/…', 'APIPassword']);
});

const explained = { type: 'refusal', category: 'cyber', explanation: 'This could harm others.' };

test('R29 PROVIDER-14 gives the explanation of a refusal, whole and streamed', () => {
  const whole = {
    id: 'msg_1',
    content: [{ type: 'text', text: 'I' }],
    stop_reason: 'refusal',
    stop_details: explained,
  };
  const answer = codecOf(providerFor(14)).answer(Buffer.from(JSON.stringify(whole)), providerCall());
  expect(answer).toMatchObject({
    finish: 'content_filter',
    parts: [{ kind: 'text' }, { kind: 'refusal', text: explained.explanation }],
  });
  const delta = { stop_reason: 'refusal', stop_sequence: null, stop_details: explained };
  const event = JSON.stringify({ type: 'message_delta', delta, usage: { output_tokens: 1 } });
  const { events } = codecOf(providerFor(14)).events(providerCall()).event(event, Buffer.alloc(0));
  expect(events).toMatchObject([
    { kind: 'refusal', text: explained.explanation },
    { kind: 'usage' },
    { kind: 'finish', finish: 'content_filter' },
  ]);
});

const spoken = (role: 'user' | 'assistant' | 'system', text: string) =>
  ({ role, parts: [{ kind: 'text', text }] }) as const;

test.each([
  ['claude-opus-4-8', ['user', 'assistant', 'user', 'system', 'assistant', 'user', 'system'], undefined],
  ['claude-opus-4-7', ['user', 'assistant', 'user', 'assistant', 'user'], [{ text: 'Reminder' }, { text: 'Hurry' }]],
])('R29 PROVIDER-14 %s gets system messages of the conversation where it takes them', (model, roles, system) => {
  const conversation = {
    turns: [
      spoken('user', 'One'),
      spoken('assistant', 'Two'),
      spoken('system', 'Reminder'),
      spoken('user', 'Three'),
      spoken('assistant', 'Four'),
      spoken('user', 'Five'),
      spoken('system', 'Hurry'),
    ],
  };
  const { body } = sentRequest(providerFor(14), { model, conversation, channel: channel('key') });
  expect(objectsAt(body, 'messages').map(({ role }) => role)).toEqual(roles);
  if (system === undefined) expect(body['system']).toBeUndefined();
  else expect(body['system']).toMatchObject(system);
});
