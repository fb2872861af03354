import type { IncomingMessage } from 'node:http';

/** The content of a well-formed request. */
export interface ParsedRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Null: the request bounds nothing. */
  readonly maxTokens: number | null;
  /** The texts of all messages, joined. */
  readonly prompt: string;
  /** `user` of the request: tests put a text of their own there to find it again. */
  readonly nonce: string;
}

export interface ChatFault {
  readonly fault: string;
  readonly status: number;
  readonly code: string;
}

/** The header that carries the key: as a bearer token, or by itself. */
export type KeyHeader = 'authorization' | 'api-key' | 'x-api-key' | 'x-goog-api-key';

export interface CheckInput {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly key: string;
  readonly path: RegExp;
  readonly keyHeader: KeyHeader;
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

/** Headers that a gateway must not forward from its clients. */
const privateHeaders = ['cookie', 'x-forwarded-for', 'x-real-ip', 'forwarded', 'proxy-authorization'];
const keyHeaders: readonly KeyHeader[] = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'];

export const fault = (message: string, status = 400, code = 'invalid_request'): ChatFault => ({
  fault: message,
  status,
  code,
});
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
};

/** The key in its header, and in no other. */
const hasKey = ({ headers }: IncomingMessage, { key, keyHeader }: CheckInput): boolean =>
  headers[keyHeader] === (keyHeader === 'authorization' ? `Bearer ${key}` : key) &&
  keyHeaders.every((name) => name === keyHeader || headers[name] === undefined);

/** No header that carries a key. */
export const hasNoKey = ({ headers }: IncomingMessage): boolean =>
  keyHeaders.every((name) => headers[name] === undefined);

/** Address, key and form of a request; undefined: nothing is wrong with them. `authorized`: its key was seen elsewhere. */
export const checkHeaders = (input: CheckInput, authorized = hasKey(input.request, input)): ChatFault | undefined => {
  const { request, body, path } = input;
  const { headers } = request;
  if (request.method !== 'POST' || !path.test(request.url ?? '')) {
    return fault(`Unknown request URL: ${request.method} ${request.url}.`, 404, 'unknown_url');
  }
  if (!authorized) return fault('Incorrect API key provided.', 401, 'invalid_api_key');
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    return fault('The content type must be application/json.');
  if (headers['content-length'] !== undefined && Number(headers['content-length']) !== body.length) {
    return fault('The content length is not the length of the content.');
  }
  const leaked = privateHeaders.find((name) => headers[name] !== undefined);
  return leaked === undefined ? undefined : fault(`The header ${leaked} has no business here.`);
};

const textOf = (content: unknown): string | undefined => {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join(' ');
};

const readMessages = (messages: unknown): string | ChatFault => {
  if (!Array.isArray(messages) || messages.length === 0) return fault("'messages' must be a non-empty array.");
  const texts: string[] = [];
  for (const message of messages) {
    if (!isRecord(message) || !roles.includes(String(message['role']))) return fault('A message has no valid role.');
    const text = textOf(message['content']);
    if (text === undefined) return fault('A message has no valid content.');
    texts.push(text);
  }
  return texts.join(' ');
};

const readLimit = (value: unknown, name: string): number | null | ChatFault => {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isInteger(value) && value >= 1
    ? value
    : fault(`'${name}' must be an integer of at least 1.`);
};

const isFault = (value: unknown): value is ChatFault => isRecord(value) && 'fault' in value;

/** Reads a chat request the way the real service does: every violation of the protocol is refused. */
export const checkChatRequest = (input: CheckInput, authorized?: boolean): ParsedRequest | ChatFault => {
  const wrongHeaders = checkHeaders(input, authorized);
  if (wrongHeaders !== undefined) return wrongHeaders;
  const body = parse(input.body);
  if (!isRecord(body)) return fault('We could not parse the JSON body of your request.');
  const { model, stream = false, stream_options: streamOptions, user = '' } = body;
  if (typeof model !== 'string' || model === '') return fault('You must provide a model parameter.');
  if (typeof stream !== 'boolean') return fault("'stream' must be a boolean.");
  if (streamOptions !== undefined && streamOptions !== null && !stream) {
    return fault("'stream_options' is only allowed when 'stream' is enabled.");
  }
  const prompt = readMessages(body['messages']);
  if (isFault(prompt)) return prompt;
  const maxTokens = readLimit(body['max_completion_tokens'] ?? body['max_tokens'], 'max_tokens');
  if (isFault(maxTokens)) return maxTokens;
  const includeUsage = isRecord(streamOptions) && streamOptions['include_usage'] === true;
  return { model, stream, includeUsage, maxTokens, prompt, nonce: String(user) };
};
