import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { UpstreamForm } from '../fake-upstream.ts';
import { checkHeaders, fault, parse } from '../fake-upstream-check.ts';
import { isJson, type Json, listOf, objectOf, textOf } from '../../parsing/json.ts';
import type { FailureFixture } from '../../provider-suite/provider-suite.ts';
import { answerSchema, pixel } from '../../clients/dialect-client.ts';
import {
  type Scene,
  type ExpectedFailure,
  vendorFailure,
  vendorFixtures,
  type VendorFormat,
} from '../../provider-suite/vendor-fixtures.ts';

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const authorization =
  /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/hunyuan\/tc3_request, SignedHeaders=([a-z;-]+), Signature=([0-9a-f]{64})$/;

/** Recomputes the signature of the request over its signed headers. Source: Tencent Cloud, "Signature v3". */
const isSigned = ({ headers, method = '', url = '' }: IncomingMessage, body: Buffer, key: string): boolean => {
  const [, secretId = '', secretKey = ''] = key.split('|');
  const [, id, date = '', names = '', signature] = authorization.exec(textOf(headers.authorization)) ?? [];
  const timestamp = Number(headers['x-tc-timestamp']);
  if (id !== secretId || !(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false;
  if (new Date(timestamp * 1000).toISOString().slice(0, 10) !== date) return false;
  const signed = names.split(';');
  if (!['content-type', 'host'].every((name) => signed.includes(name))) return false;
  const lines = signed.map((name) => `${name}:${textOf(headers[name]).trim().toLowerCase()}\n`).join('');
  const canonical = [method, url, '', lines, names, sha256(body)].join('\n');
  const text = ['TC3-HMAC-SHA256', timestamp, `${date}/hunyuan/tc3_request`, sha256(canonical)].join('\n');
  const signing = hmac(hmac(hmac(`TC3${secretKey}`, date), 'hunyuan'), 'tc3_request');
  return hmac(signing, text).toString('hex') === signature;
};

const members = new Set([
  'Model',
  'Messages',
  'Stream',
  'StreamModeration',
  'TopP',
  'Temperature',
  'Seed',
  'Stop',
  'EnableEnhancement',
  'ForceSearchEnhancement',
  'SearchInfo',
  'Citation',
  'Tools',
  'ToolChoice',
  'CustomTool',
  'EnableThinking',
]);

const toolFault = (tool: Json): string | undefined => {
  const { Name: name, Parameters: parameters } = objectOf(tool['Function']);
  if (tool['Type'] !== 'function' || textOf(name) === '') return 'Tools.Function.Name is required';
  return typeof parameters === 'string' && isJson(parse(Buffer.from(parameters)))
    ? undefined
    : 'Tools.Function.Parameters must be a JSON string';
};

const isContent = (part: Json): boolean =>
  part['Type'] === 'text'
    ? textOf(part['Text']) !== ''
    : part['Type'] === 'image_url' && /^(https?:|data:image\/)/.test(textOf(objectOf(part['ImageUrl'])['Url']));

/** An optional system message, then user (or tool) and assistant messages in turn; the last one is the user's. */
const messagesFault = (messages: readonly Json[]): string | undefined => {
  const roles = messages.map(({ Role: role }) => role);
  const turns = roles[0] === 'system' ? roles.slice(1) : roles;
  if (turns.length === 0 || turns.length > 40) return 'Messages must have 1 to 40 items';
  if (turns.some((role) => !['user', 'assistant', 'tool'].includes(textOf(role)))) return 'Messages: invalid Role';
  if (turns[0] !== 'user' || turns.at(-1) === 'assistant')
    return 'Messages must begin with user and not end with assistant';
  if (turns.some((role, index) => role !== 'tool' && role === turns[index - 1]))
    return 'Messages: roles must alternate';
  const wrong = messages.find(
    ({ Role: role, Content: content, Contents: contents, ToolCalls: calls, ToolCallId: id }) => {
      if (role === 'tool' && textOf(id) === '') return true;
      if (contents !== undefined) return content !== undefined || !listOf(contents).every(isContent);
      return textOf(content) === '' && listOf(calls).length === 0;
    },
  );
  return wrong === undefined ? undefined : 'Messages: Content is invalid';
};

const within = (value: unknown, least: number, most: number): boolean =>
  value === undefined || (typeof value === 'number' && value >= least && value <= most);

const bodyFault = (body: Json): string | undefined => {
  const unknown = Object.keys(body).find((name) => !members.has(name));
  if (unknown !== undefined) return `The parameter ${unknown} is not recognized.`;
  if (!within(body['Temperature'], 0, 2) || !within(body['TopP'], 0, 1) || !within(body['Seed'], 1, 10_000))
    return 'a number is out of range';
  const choice = body['ToolChoice'];
  if (choice !== undefined && !['none', 'auto', 'custom'].includes(textOf(choice))) return 'ToolChoice is invalid';
  return (
    messagesFault(listOf(body['Messages'])) ??
    listOf(body['Tools'])
      .map(toolFault)
      .find((text) => text !== undefined)
  );
};

/** `AppId|SecretId|SecretKey`. */
export const tencentKey = '1250000000|AKID-weir|secret-weir';

const failed = (Code: string, Message: string) => ({ Response: { Error: { Code, Message }, RequestId: 'r-0' } });

/** Tencent Hunyuan's signed API (provider notes 13.1, 17.1 and 21): every refusal has status 200. */
export const tencentForm: UpstreamForm = {
  check: (input) => {
    const { headers } = input.request;
    if (!isSigned(input.request, input.body, input.key))
      return fault('The provided credentials could not be validated.', 200, 'AuthFailure.SignatureFailure');
    const wrong = checkHeaders({ ...input, path: /^\/$/ }, true);
    if (wrong !== undefined) return wrong;
    if (headers['x-tc-action'] !== 'ChatCompletions' || headers['x-tc-version'] !== '2023-09-01')
      return fault('The action is not valid.', 200, 'InvalidParameter');
    const body = parse(input.body);
    if (!isJson(body)) return fault('The body is not JSON.', 200, 'InvalidParameter');
    const message = bodyFault(body);
    if (message !== undefined) return fault(message, 200, 'InvalidParameter');
    const model = textOf(body['Model']);
    return { model, stream: body['Stream'] === true, includeUsage: true, maxTokens: null, prompt: '', nonce: '' };
  },
  refusal: ({ fault: message, code }) => JSON.stringify(failed(code, message)),
};

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const usageOf = ({ prompt, completion, cached }: Scene) => ({
  PromptTokens: prompt,
  CompletionTokens: completion,
  TotalTokens: prompt + completion,
  PromptTokensDetails: { CachedTokens: cached },
});

const callsOf = ({ calls }: Scene) =>
  calls.map(({ id, name, arguments: given }, index) => ({
    Index: index,
    Id: id,
    Type: 'function',
    Function: { Name: name, Arguments: given },
  }));

const answer = (choice: object, usage: object) => ({
  Choices: [choice],
  Created: 1,
  Id: 'x-1',
  Usage: usage,
  Note: '',
});
const finishOf = ({ calls }: Scene) => (calls.length > 0 ? 'tool_calls' : 'stop');

const checkRequest: VendorFormat['checkRequest'] = {
  text: ({ Messages: messages }) =>
    expect(messages).toEqual([
      { Role: 'system', Content: 'Be brief.' },
      { Role: 'user', Content: 'How is Paris?' },
    ]),
  tools: (body) => expect(body['Tools']).toMatchObject([{ Function: { Name: 'get_weather' } }]),
  image: ({ Messages: messages }) =>
    expect(listOf(messages).at(-1)).toEqual({
      Role: 'user',
      Contents: [
        { Type: 'text', Text: 'What is this?' },
        { Type: 'image_url', ImageUrl: { Url: `data:image/png;base64,${pixel}` } },
      ],
    }),
  json: ({ Messages: messages }) => expect(listOf(messages)[0]?.['Content']).toContain(JSON.stringify(answerSchema)),
  results: ({ Messages: messages }) =>
    expect(listOf(messages).slice(-2)).toMatchObject([
      { Role: 'assistant', ToolCalls: [{ Id: 'call_1' }] },
      { Role: 'tool', ToolCallId: 'call_1', Content: '18C' },
    ]),
};

/** What Hunyuan answers: a stream has no wrapper, and ends with a reason. */
export const tencentFixtures = vendorFixtures({
  source: 'Tencent Cloud API 3.0, ChatCompletions (provider notes 13.1 and 21.2)',
  whole: (scene) => {
    const calls = callsOf(scene);
    const message = {
      Role: 'assistant',
      Content: scene.text,
      ReasoningContent: scene.reasoning,
      ...(calls.length > 0 && { ToolCalls: calls }),
    };
    const choice = { Index: 0, FinishReason: finishOf(scene), Message: message };
    return JSON.stringify({ Response: { RequestId: 'r-1', ...answer(choice, usageOf(scene)) } });
  },
  stream: (scene) => {
    const delta = (given: object, reason = '') =>
      event(answer({ Delta: { Role: 'assistant', ...given }, FinishReason: reason }, usageOf(scene)));
    return [
      ...(scene.reasoning === '' ? [] : [delta({ Content: '', ReasoningContent: scene.reasoning })]),
      ...scene.pieces.map((text) => delta({ Content: text })),
      ...callsOf(scene).map((call) => delta({ Content: '', ToolCalls: [call] })),
      delta({ Content: '' }, finishOf(scene)),
      'data: [DONE]\n\n',
    ];
  },
  checkRequest,
});

const failure = (code: string, expected: ExpectedFailure): FailureFixture =>
  vendorFailure({ status: 200, body: JSON.stringify(failed(code, `as reported by ${code}`)) }, expected);

const allOf = (codes: readonly string[], expected: ExpectedFailure) => codes.map((code) => failure(code, expected));

/** The codes of the vendor's list. They come as a whole body, of a stream too. */
export const tencentFailures: readonly FailureFixture[] = [
  ...allOf(
    ['SignatureFailure', 'SignatureExpire', 'SecretIdNotFound', 'TokenFailure', 'UnauthorizedOperation'].map(
      (name) => `AuthFailure.${name}`,
    ),
    [401, 'invalid_api_key'],
  ),
  ...allOf(
    [
      'FailedOperation.FreeResourcePackExhausted',
      'FailedOperation.ResourcePackExhausted',
      'FailedOperation.ServiceStop',
      'ResourceUnavailable.InArrears',
    ],
    [429, 'insufficient_quota'],
  ),
  ...allOf(
    [
      'LimitExceeded',
      'RequestLimitExceeded',
      'RequestLimitExceeded.UinLimitExceeded',
      'FailedOperation.EngineServerLimitExceeded',
    ],
    [429, 'rate_limit_exceeded'],
  ),
  failure('FailedOperation.EngineRequestTimeout', [504, 'upstream_timeout']),
  failure('FailedOperation.EngineServerError', [502, 'FailedOperation.EngineServerError']),
  failure('InternalError', [502, 'InternalError']),
  failure('InvalidParameter', [400, 'InvalidParameter']),
  failure('InvalidParameterValue.Model', [404, 'model_not_found']),
  ...allOf(['OperationDenied.TextIllegalDetected', 'OperationDenied.ImageIllegalDetected'], [400, 'content_filter']),
  ...allOf(['UnsupportedOperation', 'ResourceNotFound'], [404, 'upstream_retired']),
];

/** An event that ends a stream with a failure. */
export const tencentFailureEvent = event({
  ErrorMsg: { Msg: 'the engine fell over', Code: 4001 },
  Choices: [],
  Id: 'x-1',
});
