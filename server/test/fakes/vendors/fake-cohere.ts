import type { UpstreamForm } from '../fake-upstream.ts';
import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  type CheckInput,
  fault,
  parse,
} from '../fake-upstream-check.ts';
import { isJson, type Json, listOf, objectOf, textOf } from '../../parsing/json.ts';

const shared = ['model', 'stream', 'temperature', 'p', 'k', 'seed', 'max_tokens', 'stop_sequences'];
const knownIn = {
  '/v2/chat': [
    ...shared,
    'messages',
    'tools',
    'tool_choice',
    'strict_tools',
    'documents',
    'citation_options',
    'response_format',
    'safety_mode',
    'frequency_penalty',
    'presence_penalty',
    'logprobs',
    'thinking',
  ],
  '/v1/chat': [...shared, 'message', 'preamble', 'chat_history', 'connectors', 'documents', 'search_queries_only'],
} as const;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const partFault = (part: Json): string | undefined => {
  if (part['type'] === 'text') return isText(part['text']) ? undefined : 'text must not be empty';
  if (part['type'] !== 'image_url') return `invalid type of content: ${String(part['type'])}`;
  const { url } = objectOf(part['image_url']);
  return /^(https?:|data:image\/(png|jpeg|webp|gif);base64,)/.test(textOf(url)) ? undefined : 'invalid image url';
};

const contentFault = (content: unknown): string | undefined =>
  isText(content) ? undefined : Array.isArray(content) ? listOf(content).map(partFault).find(Boolean) : 'no content';

const callIdsOf = (message: Json): readonly string[] => listOf(message['tool_calls']).map(({ id }) => textOf(id));

/** `called`: ids of calls that have no result yet. */
const messageFault = (message: Json, called: Set<string>): string | undefined => {
  switch (message['role']) {
    case 'system':
    case 'user':
      return called.size > 0 ? 'all tool calls must be answered first' : contentFault(message['content']);
    case 'tool':
      if (!called.delete(textOf(message['tool_call_id']))) return 'tool call id not found in previous tool calls';
      return contentFault(message['content']);
    case 'assistant':
      for (const id of callIdsOf(message)) called.add(id);
      if (listOf(message['tool_calls']).some((call) => !isText(objectOf(call['function'])['arguments'])))
        return 'arguments must be a JSON string';
      return called.size > 0 ? undefined : contentFault(message['content']);
    default:
      return `invalid role ${String(message['role'])}`;
  }
};

const within = (value: unknown, least: number, most: number): boolean =>
  value === undefined || (typeof value === 'number' && value >= least && value <= most);

const toolFault = (tool: Json): string | undefined => {
  const described = objectOf(tool['function']);
  if (tool['type'] !== 'function' || !/^[A-Za-z_][\w]*$/.test(textOf(described['name']))) return 'invalid tool';
  return objectOf(described['parameters'])['type'] === 'object' ? undefined : 'invalid tool parameters';
};

const messagesFault = (body: Json): string | undefined => {
  const messages = listOf(body['messages']);
  if (messages.length === 0) return 'messages must be at least one';
  const called = new Set<string>();
  const wrong = messages.map((message) => messageFault(message, called)).find((text) => text !== undefined);
  if (wrong !== undefined) return wrong;
  if (listOf(body['tools']).length === 0 && messages.some((message) => callIdsOf(message).length > 0))
    return 'tool calls without tools';
  return listOf(body['tools'])
    .map(toolFault)
    .find((text) => text !== undefined);
};

const bodyFault = (path: '/v1/chat' | '/v2/chat', body: Json): string | undefined => {
  const known: readonly string[] = knownIn[path];
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) return `unknown field: parameter '${unknown}' is not a valid field`;
  if (!isText(body['model'])) return 'model is required';
  if (!within(body['temperature'], 0, 1) || !within(body['p'], 0.01, 0.99) || !within(body['k'], 0, 500))
    return 'a sampling parameter is out of range';
  if (!['REQUIRED', 'NONE', undefined].some((choice) => choice === body['tool_choice'])) return 'invalid tool_choice';
  if (path === '/v2/chat') return messagesFault(body);
  if (!isText(body['message'])) return 'message must be at least 1 token long';
  return listOf(body['chat_history']).every(
    ({ role, message }) => ['USER', 'CHATBOT', 'SYSTEM'].includes(textOf(role)) && isText(message),
  )
    ? undefined
    : 'invalid chat_history';
};

const check = (input: CheckInput): ParsedRequest | ChatFault => {
  const wrongHeaders = checkHeaders(input);
  if (wrongHeaders !== undefined) return wrongHeaders;
  const body = parse(input.body);
  if (!isJson(body)) return fault('invalid request: body could not be parsed');
  const path = input.request.url === '/v1/chat' ? '/v1/chat' : '/v2/chat';
  const wrong = bodyFault(path, body);
  if (wrong !== undefined) return fault(wrong);
  const stream = body['stream'] === true;
  if (stream !== (input.request.headers.accept === 'text/event-stream')) return fault('the stream is not accepted');
  const maxTokens = typeof body['max_tokens'] === 'number' ? body['max_tokens'] : null;
  return { model: textOf(body['model']), stream, includeUsage: true, maxTokens, prompt: '', nonce: '' };
};

/** Cohere's Chat API, v2, and v1 for its connectors. Source: docs.cohere.com, API reference. */
export const cohereForm: UpstreamForm = {
  check,
  refusal: ({ fault: message }) => JSON.stringify({ id: 'f0', message }),
};
