import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { UpstreamForm } from '../fake-upstream.ts';
import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  type CheckInput,
  fault,
  hasNoKey,
  parse,
} from '../fake-upstream-check.ts';
import { isJson, type Json, textOf } from '../../parsing/json.ts';

const chatPath = '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/';

/** Paths of the tested models (provider notes 10.1). */
const endpoints = new Map([
  ['completions', 'ERNIE-3.5-8K'],
  ['completions_pro', 'ERNIE-4.0-8K'],
]);

const known = new Set([
  'messages',
  'system',
  'temperature',
  'top_p',
  'penalty_score',
  'stream',
  'stop',
  'max_output_tokens',
  'disable_search',
  'enable_citation',
  'response_format',
  'functions',
  'tool_choice',
  'user_id',
]);

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** A message at an even index is the user's, or the result of the function called before it. */
const messageFault = (message: unknown, index: number, before: unknown): string | undefined => {
  if (!isJson(message)) return 'the message is not an object';
  const { role, content } = message;
  const called = isJson(before) && isJson(before['function_call']) ? before['function_call'] : null;
  if (index % 2 === 1) {
    if (role !== 'assistant') return 'role of messages with odd index must be assistant';
    return isText(content) || isJson(message['function_call']) ? undefined : 'the message content can not be empty';
  }
  if (role === 'function') {
    if (called === null || called['name'] !== message['name']) return 'function message follows no call of its name';
  } else if (role !== 'user') return 'role of messages with even index must be user or function';
  return isText(content) ? undefined : 'the message content can not be empty';
};

const functionFault = (given: unknown): string | undefined => {
  if (!isJson(given) || !/^[\w-]{1,64}$/.test(String(given['name']))) return 'functions.name is invalid';
  if (!isText(given['description'])) return 'functions.description is invalid';
  return isJson(given['parameters']) && given['parameters']['type'] === 'object'
    ? undefined
    : 'functions.parameters is not an object schema';
};

const within = (value: unknown, least: number, most: number): boolean =>
  value === undefined || (typeof value === 'number' && value >= least && value <= most);

const bodyFault = (body: Json): string | undefined => {
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined) return `unknown parameter ${unknown}`;
  const { messages, functions = [], system, response_format: format } = body;
  if (!Array.isArray(messages) || messages.length % 2 === 0) return 'the length of messages must be an odd number';
  const wrong = messages
    .map((message, index) => messageFault(message, index, messages[index - 1]))
    .find((text) => text !== undefined);
  if (wrong !== undefined) return wrong;
  if (system !== undefined && !isText(system)) return 'system must be a non-empty string';
  if (format !== undefined && format !== 'text' && format !== 'json_object') return 'response_format is invalid';
  if (!within(body['temperature'], 0.0001, 1)) return 'temperature must be in (0, 1.0]';
  if (!within(body['top_p'], 0, 1)) return 'top_p must be in [0, 1.0]';
  if (!within(body['max_output_tokens'], 2, Infinity)) return 'max_output_tokens must be at least 2';
  if (!Array.isArray(functions)) return 'functions is not a list';
  return functions.map(functionFault).find((text) => text !== undefined);
};

/** The older API with its token endpoint. It keeps the tokens that it issued. */
export interface FakeBaidu {
  readonly form: UpstreamForm;
  /** `APIKey|SecretKey`. */
  readonly key: string;
  /** How many tokens were issued. */
  given(): number;
  /** Revokes all tokens issued so far. */
  expire(): void;
}

const parsedOf = (body: Json, model: string): ParsedRequest => {
  const { messages, stream, max_output_tokens: limit } = body;
  const texts = Array.isArray(messages) ? messages.filter(isJson).map(({ content }) => textOf(content)) : [];
  const maxTokens = typeof limit === 'number' ? limit : null;
  return { model, stream: stream === true, includeUsage: true, maxTokens, prompt: texts.join(' '), nonce: '' };
};

/** Baidu's older API (provider notes 10.1 and 21). */
export const createFakeBaidu = (): FakeBaidu => {
  const [id, secret] = ['ak-weir', 'sk-weir'];
  let token = '';
  let given = 0;

  const aside = ({ method, url = '', headers }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url, 'http://fake');
    if (pathname !== '/oauth/2.0/token') return null;
    const refused = (description: string) => ({
      status: 401,
      body: JSON.stringify({ error: 'invalid_client', error_description: description }),
    });
    if (method !== 'POST' || searchParams.get('grant_type') !== 'client_credentials') return refused('bad grant');
    if (searchParams.get('client_id') !== id) return refused('unknown client id');
    if (searchParams.get('client_secret') !== secret || headers.authorization !== undefined)
      return refused('Client authentication failed');
    given += 1;
    token = `24.${randomUUID()}`;
    return { status: 200, body: JSON.stringify({ access_token: token, expires_in: 2_592_000, scope: 'public' }) };
  };

  const check = (input: CheckInput): ParsedRequest | ChatFault => {
    const { pathname, searchParams } = new URL(input.request.url ?? '', 'http://fake');
    const model = endpoints.get(pathname.slice(chatPath.length));
    if (!pathname.startsWith(chatPath) || model === undefined) return fault('Unsupported openapi method', 200, '3');
    if (token === '' || searchParams.get('access_token') !== token)
      return fault('Access token invalid or no longer valid', 200, '110');
    const wrong = checkHeaders({ ...input, path: /./ }, hasNoKey(input.request));
    if (wrong !== undefined) return wrong;
    const body = parse(input.body);
    if (!isJson(body)) return fault('the body is not JSON', 200, '336002');
    const message = bodyFault(body);
    return message === undefined ? parsedOf(body, model) : fault(message, 200, '336003');
  };

  return {
    key: `${id}|${secret}`,
    form: {
      aside,
      check,
      refusal: ({ fault: message, code }) =>
        JSON.stringify({ error_code: Number(code), error_msg: message, id: 'as-0' }),
    },
    given: () => given,
    expire: () => (token = ''),
  };
};
