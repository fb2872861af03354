import { expect } from 'vitest';
import type { UpstreamForm } from '../fake-upstream.ts';
import { type ChatFault, checkHeaders, fault, parse } from '../fake-upstream-check.ts';
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

const textPath = '/api/v1/services/aigc/text-generation/generation';
const multimodalPath = '/api/v1/services/aigc/multimodal-generation/generation';

/** The expected plugin header. */
export const aliPlugin = '{"pdf_extracter":{}}';

const parameterNames = new Set([
  'result_format',
  'incremental_output',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'max_tokens',
  'stop',
  'repetition_penalty',
  'presence_penalty',
  'n',
  'enable_search',
  'search_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'enable_thinking',
  'thinking_budget',
  'response_format',
]);

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool']);
const partKinds = ['text', 'image', 'audio', 'video'];

const isPart = (part: Json): boolean => {
  const kinds = Object.keys(part);
  return kinds.length === 1 && partKinds.includes(kinds[0] ?? '') && typeof Object.values(part)[0] === 'string';
};

const messageFault = (message: Json, multimodal: boolean): string | undefined => {
  const { role, content } = message;
  if (!roles.has(role)) return `${String(role)} is not one of ['system', 'assistant', 'user', 'tool']`;
  if (multimodal ? !Array.isArray(content) || !listOf(content).every(isPart) : typeof content !== 'string')
    return 'Input should be a valid content: input.messages.content';
  return role === 'tool' && textOf(message['tool_call_id']) === '' ? 'tool_call_id is required' : undefined;
};

const parametersFault = (parameters: Json, stream: boolean): string | undefined => {
  const unknown = Object.keys(parameters).find((name) => !parameterNames.has(name));
  if (unknown !== undefined) return `unknown parameter ${unknown}`;
  const {
    result_format: format,
    incremental_output: incremental,
    top_p: topP,
    temperature,
    tool_choice: choice,
  } = parameters;
  if (format !== 'message') return 'parameters.result_format must be message where tools may be called';
  if ((incremental === true) !== stream) return 'parameters.incremental_output goes with a stream';
  if (topP !== undefined && !(Number(topP) > 0 && Number(topP) < 1)) return 'Range of top_p should be (0.0, 1.0)';
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) < 2))
    return 'Temperature should be in [0.0, 2.0)';
  if (choice !== undefined && choice !== 'auto' && choice !== 'none' && !isJson(choice))
    return 'tool_choice is invalid';
  return undefined;
};

const bodyFault = (body: Json, multimodal: boolean, stream: boolean): string | undefined => {
  const unknown = Object.keys(body).find((name) => !['model', 'input', 'parameters'].includes(name));
  if (unknown !== undefined) return `unknown member ${unknown}`;
  const messages = listOf(objectOf(body['input'])['messages']);
  if (messages.length === 0) return 'Field required: input.messages';
  return (
    messages.map((message) => messageFault(message, multimodal)).find((text) => text !== undefined) ??
    parametersFault(objectOf(body['parameters']), stream)
  );
};

const wrong = (message: string): ChatFault => fault(message, 400, 'InvalidParameter');

/** DashScope's own API (provider notes 11.1 and 21). */
export const aliForm: UpstreamForm = {
  check: (input) => {
    const { headers, url } = input.request;
    const multimodal = url === multimodalPath;
    const headersFault = checkHeaders({ ...input, path: /./ });
    if (headersFault !== undefined) return headersFault;
    if (!multimodal && url !== textPath) return fault('url error, please check url!', 400, 'InvalidURL');
    if (headers['x-dashscope-plugin'] !== aliPlugin) return wrong('the plugin is not named');
    const body = parse(input.body);
    if (!isJson(body)) return wrong('the body is not JSON');
    const model = textOf(body['model']);
    if (model.includes('-vl') !== multimodal) return wrong('url error, please check url!');
    const stream = headers['x-dashscope-sse'] === 'enable';
    const message = bodyFault(body, multimodal, stream);
    if (message !== undefined) return wrong(message);
    return { model, stream, includeUsage: true, maxTokens: null, prompt: '', nonce: '' };
  },
  refusal: ({ fault: message, code, status }) =>
    JSON.stringify({ code: status === 401 ? 'InvalidApiKey' : code, message, request_id: 'u-0' }),
};

let events = 0;

/** One event, without a space behind the names of its lines. */
const block = (data: object, status = 200): string => {
  events += 1;
  const name = status === 200 ? 'result' : 'error';
  return `id:${events}\nevent:${name}\n:HTTP_STATUS/${status}\ndata:${JSON.stringify(data)}\n\n`;
};

const usageOf = ({ prompt, cached }: Scene, completion: number) => ({
  input_tokens: prompt,
  output_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
});

const response = (message: object, reason: string, usage: object) => ({
  output: { choices: [{ message: { role: 'assistant', ...message }, finish_reason: reason }] },
  usage,
  request_id: 'u-1',
});

const wordsOf = (contentOf: (text: string) => unknown, checkRequest: VendorFormat['checkRequest']): VendorFormat => ({
  source: 'Model Studio, DashScope API reference (provider notes 11.1 and 21.2)',
  whole: (scene) => {
    const tool_calls = scene.calls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: given },
    }));
    const called = tool_calls.length > 0;
    const message = {
      content: contentOf(scene.text),
      reasoning_content: scene.reasoning,
      ...(called && { tool_calls }),
    };
    return JSON.stringify(response(message, called ? 'tool_calls' : 'stop', usageOf(scene, scene.completion)));
  },
  stream: (scene) => {
    const piece = (message: object) => block(response(message, 'null', usageOf(scene, 1)));
    const called = scene.calls.flatMap(({ id, name, arguments: given }, index) => {
      const call = (named: object, callId: string) =>
        piece({ content: contentOf(''), tool_calls: [{ index, id: callId, type: 'function', function: named }] });
      return [call({ name, arguments: given.slice(0, 8) }, id), call({ arguments: given.slice(8) }, '')];
    });
    const reason = scene.calls.length > 0 ? 'tool_calls' : 'stop';
    return [
      ...(scene.reasoning === '' ? [] : [piece({ content: contentOf(''), reasoning_content: scene.reasoning })]),
      ...scene.pieces.map((text) => piece({ content: contentOf(text), reasoning_content: '' })),
      ...called,
      block(response({ content: contentOf('') }, reason, usageOf(scene, scene.completion))),
    ];
  },
  checkRequest,
});

const messagesIn = (body: Json): unknown => objectOf(body['input'])['messages'];

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) => {
    expect(messagesIn(body)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is Paris?' },
    ]);
    expect(body['parameters']).toMatchObject({ max_tokens: 4000 });
  },
  tools: (body) =>
    expect(body['parameters']).toMatchObject({ tools: [{ type: 'function', function: { name: 'get_weather' } }] }),
  json: (body) =>
    expect(body['parameters']).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: { required: answerSchema.required } } },
    }),
  results: (body) =>
    expect(messagesIn(body)).toMatchObject([
      {},
      {},
      { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'get_weather' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: '18C' },
    ]),
};

const checkMultimodalRequest: VendorFormat['checkRequest'] = {
  text: (body) => expect(messagesIn(body)).toContainEqual({ role: 'user', content: [{ text: 'How is Paris?' }] }),
  image: (body) =>
    expect(messagesIn(body)).toContainEqual({
      role: 'user',
      content: [{ text: 'What is this?' }, { image: `data:image/png;base64,${pixel}` }],
    }),
};

/** What models for texts answer. */
export const aliFixtures = vendorFixtures(wordsOf((text) => text, checkRequest));
/** What models for pictures answer: lists. */
export const aliMultimodalFixtures = vendorFixtures(
  wordsOf((text) => (text === '' ? [] : [{ text }]), checkMultimodalRequest),
);

const failedWith = (code: string, message: string) => ({ code, message, request_id: 'u-0' });

const failure = (
  status: number,
  code: string,
  expected: ExpectedFailure,
  message = `as reported by ${code}`,
): FailureFixture[] => {
  const failed = failedWith(code, message);
  const whole = { status, body: JSON.stringify(failed) };
  return [vendorFailure(whole, expected), vendorFailure({ ...whole, event: block(failed, status) }, expected)];
};

/** Every code of the vendor's list, as a whole answer and within a stream. */
export const aliFailures: readonly FailureFixture[] = [
  ...failure(400, 'InvalidParameter', [400, 'InvalidParameter']),
  ...failure(400, 'InvalidParameter', [400, 'context_length_exceeded'], 'Range of input length should be [1, 6000]'),
  ...failure(400, 'BadRequest.EmptyInput', [400, 'BadRequest.EmptyInput']),
  ...failure(400, 'InvalidURL', [400, 'InvalidURL']),
  ...failure(400, 'DataInspectionFailed', [400, 'content_filter']),
  ...failure(400, 'Arrearage', [429, 'insufficient_quota']),
  ...failure(401, 'InvalidApiKey', [401, 'invalid_api_key']),
  ...['AccessDenied', 'AccessDenied.Unpurchased', 'Model.AccessDenied', 'WorkSpace.AccessDenied'].flatMap((code) =>
    failure(403, code, [403, 'permission_denied']),
  ),
  ...failure(404, 'ModelNotFound', [404, 'model_not_found']),
  ...failure(408, 'RequestTimeOut', [504, 'upstream_timeout']),
  ...['Throttling', 'Throttling.RateQuota', 'Throttling.BurstRate', 'LimitRequests'].flatMap((code) =>
    failure(429, code, [429, 'rate_limit_exceeded']),
  ),
  ...failure(429, 'Throttling.AllocationQuota', [429, 'insufficient_quota']),
  ...['InternalError', 'InternalError.Algo', 'InternalError.Timeout', 'SystemError'].flatMap((code) =>
    failure(500, code, [502, code]),
  ),
  ...['ModelUnavailable', 'ModelServingError'].flatMap((code) => failure(503, code, [503, code])),
];

/** An event that ends a stream with a failure. */
export const aliFailureEvent = block(failedWith('InternalError', 'it fell over'), 500);
