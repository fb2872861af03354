import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { UpstreamForm } from '../fake-upstream.ts';
import { type ChatFault, checkChatRequest, fault, parse } from '../fake-upstream-check.ts';
import { isJson, type Json, listOf, objectOf, textOf } from '../../parsing/json.ts';

/** The rules of one vendor of OpenAI's format beyond those that all have. */
interface ChatRules {
  /** The error of a body; undefined: it is valid. */
  readonly fault: (body: Json, model: string) => string | undefined;
  readonly status?: number;
  readonly code?: string;
  readonly refusal: (fault: ChatFault) => object;
  /** Absent: the key is a bearer token. */
  readonly authorized?: (request: IncomingMessage, key: string) => boolean;
}

const chatForm = ({ fault: faultIn, status, code, refusal, authorized }: ChatRules): UpstreamForm => ({
  check: (input) => {
    const request = checkChatRequest(input, authorized?.(input.request, input.key));
    if ('fault' in request) return request;
    const body = parse(input.body);
    const wrong = isJson(body) ? faultIn(body, request.model) : 'the body is no object';
    return wrong === undefined ? request : fault(wrong, status, code);
  },
  refusal: (refused) => JSON.stringify(refusal(refused)),
});

const openAiRefusal = ({ fault: message, code }: ChatFault) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});

/** The first error. */
const firstOf = (...faults: readonly (string | false | undefined)[]): string | undefined =>
  faults.find((text) => typeof text === 'string');

const beyond = (body: Json, name: string, least: number, most: number): string | false => {
  const value = body[name];
  return (
    value !== undefined && !(typeof value === 'number' && value >= least && value <= most) && `${name} is out of range`
  );
};

const unknownIn = (body: Json, known: readonly string[]): string | false => {
  const name = Object.keys(body).find((member) => !known.includes(member));
  return name !== undefined && `unknown parameter: ${name}`;
};

const common = ['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'temperature', 'top_p', 'stop'];
const ofTools = ['tools', 'tool_choice', 'response_format'];

const messagesOf = (body: Json) => listOf(body['messages']);
const rolesOf = (body: Json) => messagesOf(body).map(({ role }) => textOf(role));
const formatOf = (body: Json): string => textOf(objectOf(body['response_format'])['type']);
const hasTexts = (body: Json): boolean =>
  messagesOf(body).every(({ content }) => content === null || typeof content === 'string');

const choiceBeyond = (body: Json, ...taken: readonly string[]): string | false => {
  const choice = body['tool_choice'];
  const kind = typeof choice === 'string' ? choice : 'tool';
  return choice !== undefined && !taken.includes(kind) && `tool_choice ${kind} is not supported`;
};

/** System messages come first, and the last message is not the assistant's. */
const orderFault = (body: Json): string | false => {
  const roles = rolesOf(body);
  if (roles.slice(1).includes('system')) return 'the system message must be the first';
  return !['user', 'tool'].includes(roles.at(-1) ?? '') && 'the role of the last message must be user or tool';
};

const isEmpty = ({ content, tool_calls: calls }: Json): boolean =>
  (content === '' || content === null || content === undefined) && calls === undefined;

/** Baidu's newer API (provider notes 10.2). */
export const qianfanForm = chatForm({
  fault: (body) =>
    firstOf(
      orderFault(body),
      messagesOf(body).some(isEmpty) && 'the content of a message must not be empty',
      beyond(body, 'temperature', 0, 2),
    ),
  code: 'invalid_messages',
  refusal: ({ fault: message, code }) => ({ id: 'as-0', error: { code, message, type: 'invalid_request_error' } }),
});

const fromBase64 = (text: string): unknown => parse(Buffer.from(text, 'base64url'));

/** A token signed with the key's secret, good for now; times are in milliseconds here. */
const isZhipuToken = (bearer: string, key: string): boolean => {
  const [head = '', claims = '', signature = '', ...more] = bearer.split('.');
  const [id = '', secret = ''] = key.split('.');
  const { alg, sign_type: kind } = objectOf(fromBase64(head));
  const { api_key: named, exp, timestamp } = objectOf(fromBase64(claims));
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
  const now = Date.now();
  return (
    more.length === 0 &&
    alg === 'HS256' &&
    kind === 'SIGN' &&
    named === id &&
    signature === expected &&
    Number(exp) > now &&
    Math.abs(Number(timestamp) - now) < 300_000
  );
};

const zhipuMembers = [...common, ...ofTools, 'user_id', 'request_id', 'thinking', 'do_sample', 'tool_stream'];

/** Zhipu's API v4; `signs`: it takes no key but a token made of it (provider notes 8.9 and 17.4). */
export const zhipuForm = (signs: boolean): UpstreamForm =>
  chatForm({
    fault: (body) =>
      firstOf(
        unknownIn(body, zhipuMembers),
        newerRole(body),
        beyond(body, 'temperature', 0.01, 0.99),
        beyond(body, 'top_p', 0.01, 0.99),
        choiceBeyond(body, 'auto'),
        listOf(body['stop']).length > 1 && 'stop takes one text',
        formatOf(body) === 'json_schema' && 'response_format takes text or json_object',
      ),
    code: '1210',
    refusal: ({ fault: message, code, status }) => ({ error: { code: status === 401 ? '1000' : code, message } }),
    ...(signs && {
      authorized: ({ headers }: IncomingMessage, key: string) =>
        isZhipuToken(textOf(headers.authorization).replace(/^Bearer /, ''), key),
    }),
  });

/** DashScope's surface for OpenAI's clients (provider notes 11.2). */
export const aliCompatibleForm = chatForm({
  fault: (body) =>
    firstOf(
      beyond(body, 'top_p', 0.0001, 0.9999),
      beyond(body, 'temperature', 0, 1.999),
      choiceBeyond(body, 'auto', 'none', 'tool'),
    ),
  code: 'invalid_parameter_error',
  refusal: openAiRefusal,
});

/** Spark's surface for OpenAI's clients (provider notes 12.2). */
export const sparkHttpForm = chatForm({
  fault: (body) =>
    firstOf(
      unknownIn(body, [...common, ...ofTools, 'user', 'top_k', 'tool_calls_switch', 'thinking']),
      newerRole(body),
      !hasTexts(body) && 'the content of a message must be a text',
      beyond(body, 'temperature', 0.01, 2),
      body['stop'] !== undefined && 'stop is not supported',
      formatOf(body) === 'json_schema' && 'response_format takes text or json_object',
    ),
  code: '10163',
  refusal: ({ fault: message, code, status }) =>
    status === 401 ? { message: 'HMAC signature cannot be verified' } : { code: Number(code), message, sid: 'cht0' },
});

/** Tencent's surface for OpenAI's clients (provider notes 13.2). */
export const tencentCompatibleForm = chatForm({
  fault: (body) => firstOf(orderFault(body), formatOf(body) !== '' && 'response_format is not supported'),
  refusal: openAiRefusal,
});

const mistralMembers = [
  ...common,
  ...ofTools,
  'random_seed',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'parallel_tool_calls',
  'safe_prompt',
  'prediction',
  'reasoning_effort',
];

const isMistralId = (id: unknown): boolean => /^[a-zA-Z0-9]{9}$/.test(textOf(id));

const mistralIds = (message: Json): boolean =>
  listOf(message['tool_calls']).every(({ id }) => isMistralId(id)) &&
  (message['role'] !== 'tool' || isMistralId(message['tool_call_id']));

/** Mistral (provider notes 8.1): members that it does not know are an error. */
export const mistralForm = chatForm({
  fault: (body) =>
    firstOf(
      unknownIn(body, mistralMembers),
      beyond(body, 'temperature', 0, 1.5),
      !messagesOf(body).every(mistralIds) && 'Tool call id has to be a-z, A-Z, 0-9, with a length of 9.',
      messagesOf(body).some(({ name, role }) => name !== undefined || role === 'developer') &&
        'Extra inputs in messages',
      rolesOf(body).at(-1) === 'assistant' &&
        messagesOf(body).at(-1)?.['prefix'] !== true &&
        'Expected last role User or Tool',
    ),
  status: 422,
  refusal: ({ fault: msg }) => ({
    object: 'error',
    message: { detail: [{ type: 'extra_forbidden', loc: ['body'], msg }] },
    type: 'invalid_request_error',
  }),
});

/** Groq (provider notes 8.2). */
export const groqForm = chatForm({
  fault: (body) =>
    firstOf(
      body['n'] !== undefined && body['n'] !== 1 && 'n must be 1',
      ...['logprobs', 'top_logprobs', 'logit_bias'].map((name) => name in body && `property '${name}' is unsupported`),
      messagesOf(body).some(({ name }) => name !== undefined) && "property 'name' is unsupported",
    ),
  refusal: openAiRefusal,
});

const lacksReasoning = (message: Json): boolean =>
  listOf(message['tool_calls']).length > 0 && message['reasoning_content'] === undefined;

/** The role that only OpenAI has. */
const newerRole = (body: Json): string | false => rolesOf(body).includes('developer') && 'unknown role developer';

/** DeepSeek: its reference lists four roles, and two formats of an answer. */
export const deepSeekForm = chatForm({
  fault: (body) =>
    firstOf(
      newerRole(body),
      formatOf(body) === 'json_schema' && 'This response_format type is unavailable now',
      formatOf(body) === 'json_object' &&
        !/json/i.test(JSON.stringify(body['messages'])) &&
        "Prompt must contain the word 'json'",
    ),
  refusal: openAiRefusal,
});

/** Moonshot (provider notes 8.3). */
export const moonshotForm = chatForm({
  fault: (body, model) =>
    firstOf(
      model.startsWith('kimi-k') &&
        body['temperature'] !== undefined &&
        body['temperature'] !== 1 &&
        'invalid temperature: only 1 is allowed for this model',
      newerRole(body),
      beyond(body, 'temperature', 0, 1),
      choiceBeyond(body, 'auto', 'none'),
      model.startsWith('kimi-k') &&
        messagesOf(body).some(lacksReasoning) &&
        'thinking is enabled but reasoning_content is missing in assistant tool call message',
    ),
  refusal: ({ fault: message, status }) => ({
    error: { message, type: status === 401 ? 'invalid_authentication_error' : 'invalid_request_error' },
  }),
});

/** MiniMax (provider notes 8.7): it refuses with status 200. */
export const miniMaxForm = chatForm({
  fault: (body, model) =>
    firstOf(
      newerRole(body),
      beyond(body, 'temperature', 0.01, 1),
      beyond(body, 'top_p', 0.01, 1),
      choiceBeyond(body, 'auto', 'none'),
      formatOf(body) === 'json_schema' && 'response_format is not supported by this model',
      model.startsWith('abab') &&
        listOf(body['tools']).some((tool) => typeof objectOf(tool['function'])['parameters'] !== 'string') &&
        'function parameters must be a string',
    ),
  status: 200,
  code: '2013',
  refusal: ({ fault: message, code, status }) => ({
    id: '0',
    base_resp: { status_code: status === 401 ? 1004 : Number(code), status_msg: message },
  }),
});

/** Baichuan, 360 and 01.AI: temperature up to 1, tools by their own choice (provider notes 2.7). */
export const modestForm = chatForm({
  fault: (body) =>
    firstOf(
      newerRole(body),
      beyond(body, 'temperature', 0, 1),
      choiceBeyond(body, 'auto'),
      body['seed'] !== undefined && 'seed is not supported',
      formatOf(body) === 'json_schema' && 'response_format is not supported',
    ),
  refusal: openAiRefusal,
});

/** OpenRouter (provider notes 8.8): its codes are numbers. */
export const openRouterForm = chatForm({
  fault: () => undefined,
  refusal: ({ fault: message, status }) => ({ error: { code: status, message } }),
});
