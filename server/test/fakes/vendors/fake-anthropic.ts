import type { Made, UpstreamForm } from '../fake-upstream.ts';
import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  type CheckInput,
  fault,
  parse,
} from '../fake-upstream-check.ts';
import { isJson } from '../../parsing/json.ts';

type Block = Readonly<Record<string, unknown>>;

const blocksOf = (content: unknown): readonly Block[] | undefined => {
  if (typeof content === 'string') return content === '' ? undefined : [{ type: 'text', text: content }];
  return Array.isArray(content) && content.length > 0 && content.every(isJson) ? content : undefined;
};

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const sourceFault = (source: unknown): string | undefined => {
  if (!isJson(source)) return 'source: Field required';
  if (source['type'] === 'url')
    return String(source['url']).startsWith('http') ? undefined : 'source.url: Only HTTP(S) URLs are supported';
  if (source['type'] === 'text') return isText(source['data']) ? undefined : 'source.data: Field required';
  if (source['type'] !== 'base64') return `source: Input tag '${String(source['type'])}' found`;
  const known = /^(image\/(jpeg|png|gif|webp)|application\/pdf)$/.test(String(source['media_type']));
  return known && /^[A-Za-z0-9+/]+=*$/.test(String(source['data']))
    ? undefined
    : 'source: Input should be valid base64';
};

const userBlock = (block: Block): string | undefined => {
  switch (block['type']) {
    case 'text':
      return isText(block['text']) ? undefined : 'text content blocks must be non-empty';
    case 'image':
    case 'document':
      return sourceFault(block['source']);
    case 'tool_result':
      return isText(block['tool_use_id']) ? undefined : 'tool_result.tool_use_id: Field required';
    default:
      return `Input tag '${String(block['type'])}' found using 'type' does not match any of the expected tags`;
  }
};

const assistantBlock = (block: Block): string | undefined => {
  switch (block['type']) {
    case 'text':
      return isText(block['text']) ? undefined : 'text content blocks must be non-empty';
    case 'tool_use':
      if (!/^[\w-]+$/.test(String(block['id']))) return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
      return isJson(block['input']) ? undefined : 'tool_use.input: Input should be a valid dictionary';
    case 'thinking':
      return isText(block['signature']) ? undefined : 'thinking.signature: Field required';
    case 'redacted_thinking':
      return isText(block['data']) ? undefined : 'redacted_thinking.data: Field required';
    default:
      return `Input tag '${String(block['type'])}' found using 'type' does not match any of the expected tags`;
  }
};

const idsOf = (blocks: readonly Block[], type: string, member: string): readonly string[] =>
  blocks.filter((block) => block['type'] === type).map((block) => String(block[member]));

/** Every call is answered in the next message, and nothing else is answered. */
const resultsFault = (before: readonly Block[], blocks: readonly Block[]): string | undefined => {
  const called = new Set(idsOf(before, 'tool_use', 'id'));
  const answered = new Set(idsOf(blocks, 'tool_result', 'tool_use_id'));
  if ([...answered].some((id) => !called.has(id))) return 'unexpected `tool_use_id` found in `tool_result` blocks';
  if ([...called].some((id) => !answered.has(id))) return '`tool_use` ids were found without `tool_result` blocks';
  const kinds = blocks.map((block) => block['type'] === 'tool_result');
  return kinds.lastIndexOf(true) > kinds.indexOf(false) && kinds.includes(false)
    ? 'tool_result blocks must come first in the content'
    : undefined;
};

interface Read {
  readonly texts: readonly string[];
  readonly usesTools: boolean;
  readonly endsWithAssistant: boolean;
}

/** Models that take system messages between a user's turn and its answer. Source: "Mid-conversation system messages". */
const takesSystem = (model: string): boolean => /claude-\w+-(4-[89]|[5-9])/.test(model);

const roleAt = (messages: readonly unknown[], index: number): unknown => {
  const message = messages[index];
  return isJson(message) ? message['role'] : undefined;
};

const systemTurnFault = (messages: readonly unknown[], index: number, model: string): string | undefined => {
  if (!takesSystem(model)) return "role 'system' is not supported on this model";
  const next = roleAt(messages, index + 1);
  return roleAt(messages, index - 1) === 'user' && (next === undefined || next === 'assistant')
    ? undefined
    : 'system messages must follow a user turn and precede an assistant turn';
};

const readMessages = (messages: unknown, model: string): Read | ChatFault => {
  if (!Array.isArray(messages) || messages.length === 0) return fault('messages: at least one message is required');
  const texts: string[] = [];
  let before: readonly Block[] = [];
  let usesTools = false;
  for (const [index, message] of messages.entries()) {
    const role = roleAt(messages, index);
    if (role === 'system') {
      const misplaced = systemTurnFault(messages, index, model);
      if (misplaced !== undefined) return fault(`messages.${index}: ${misplaced}`);
      continue;
    }
    if (role !== 'user' && role !== 'assistant')
      return fault(`messages.${index}.role: Input should be 'user' or 'assistant'`);
    if (index === 0 && role !== 'user') return fault('messages: first message must use the "user" role');
    const blocks = blocksOf(isJson(message) ? message['content'] : undefined);
    if (blocks === undefined) return fault(`messages.${index}.content: all messages must have non-empty content`);
    const wrong =
      blocks.map(role === 'user' ? userBlock : assistantBlock).find((text) => text !== undefined) ??
      (role === 'user' ? resultsFault(before, blocks) : undefined);
    if (wrong !== undefined) return fault(`messages.${index}.content: ${wrong}`);
    usesTools ||= blocks.some((block) => block['type'] === 'tool_use');
    texts.push(...blocks.map((block) => (isText(block['text']) ? block['text'] : '')));
    before = role === 'assistant' ? blocks : [];
  }
  const last: unknown = messages.at(-1);
  return { texts, usesTools, endsWithAssistant: isJson(last) && last['role'] === 'assistant' };
};

const known = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stream',
  'metadata',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'service_tier',
  'cache_control',
  'context_management',
]);

/** Tools of the vendor, which have no schema. */
const ownTool = /^(?:bash|text_editor|computer|web_search)_\d{8}$/;

const toolFault = (tool: unknown): string | undefined => {
  if (!isJson(tool)) return 'tools: Input should be a valid dictionary';
  if (ownTool.test(String(tool['type']))) return undefined;
  if (!/^[\w-]{1,128}$/.test(String(tool['name']))) return 'tools.name: String should match pattern';
  const schema = tool['input_schema'];
  return isJson(schema) && schema['type'] === 'object'
    ? undefined
    : "tools.input_schema.type: Input should be 'object'";
};

/** Models from 4.7 on sample by themselves and think adaptively only (provider notes 5). */
const isLate = (model: string): boolean => /claude-\w+-(4-[789]|[5-9])/.test(model);

const thinkingFault = (body: Block, model: string, maxTokens: number): string | undefined => {
  const { thinking } = body;
  if (!isJson(thinking) || thinking['type'] === 'disabled') return undefined;
  if (thinking['type'] === 'adaptive')
    return isLate(model) ? undefined : 'thinking.type: adaptive is not supported by this model';
  if (isLate(model)) return 'thinking.type: "enabled" is not supported by this model';
  const budget = Number(thinking['budget_tokens']);
  if (!(budget >= 1024)) return 'thinking.budget_tokens: Input should be greater than or equal to 1024';
  if (budget >= maxTokens) return '`max_tokens` must be greater than `thinking.budget_tokens`';
  return body['temperature'] === undefined || body['temperature'] === 1
    ? undefined
    : '`temperature` may only be set to 1 when thinking is enabled';
};

const samplingFault = (body: Block, model: string): string | undefined => {
  const { temperature, top_p: topP, top_k: topK } = body;
  if (isLate(model) && [temperature, topP, topK].some((value) => value !== undefined))
    return 'temperature, top_p and top_k are not supported by this model';
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 1))
    return 'temperature: range: 0..1';
  return undefined;
};

/** Members and tools that need a beta. */
const needed = [
  ['context_management', /"context_management":/, /^context-management-/],
  ['tools: computer', /"type":"computer_/, /^computer-use-/],
] as const;

const betaFault = (body: Block, betas: readonly string[]): string | undefined => {
  const text = JSON.stringify(body);
  const missing = needed.find(([, use, beta]) => use.test(text) && !betas.some((name) => beta.test(name)));
  return missing === undefined ? undefined : `${missing[0]}: Extra inputs are not permitted`;
};

const bodyFault = (body: Block, model: string, maxTokens: number, read: Read): string | undefined => {
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  const tools: readonly unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  const wrongTool = tools.map(toolFault).find((text) => text !== undefined);
  if (wrongTool !== undefined) return wrongTool;
  if (read.usesTools && tools.length === 0) return 'Requests which include `tool_use` blocks must define tools.';
  if (isJson(body['tool_choice']) && tools.length === 0) return 'tool_choice: may only be specified with tools';
  if (read.endsWithAssistant && isLate(model)) return 'the conversation must end with a user message';
  const system = body['system'];
  if (system !== undefined && blocksOf(system)?.every((block) => isText(block['text'])) !== true)
    return 'system: text content blocks must be non-empty';
  return samplingFault(body, model) ?? thinkingFault(body, model, maxTokens);
};

export interface MessagesCheck {
  /** The tokens are to be counted, and no answer is wanted. */
  readonly counts?: boolean;
  /** The betas of the request. */
  readonly betas?: readonly string[];
}

/** The betas of a header. */
export const betasIn = (header: string | string[] | undefined): readonly string[] =>
  header === undefined ? [] : String(header).split(',');

/** Reads a body. */
export const checkMessages = (
  bytes: Buffer,
  { counts = false, betas = [] }: MessagesCheck,
): ParsedRequest | ChatFault => {
  const body = parse(bytes);
  if (!isJson(body)) return fault('The request body is not valid JSON');
  const { model, max_tokens: maxTokens, stream = false } = body;
  if (typeof model !== 'string' || model === '') return fault('model: Field required');
  if (counts && maxTokens !== undefined) return fault('max_tokens: Extra inputs are not permitted');
  if (!counts && !(Number.isInteger(maxTokens) && Number(maxTokens) >= 1)) return fault('max_tokens: Field required');
  const read = readMessages(body['messages'], model);
  if ('fault' in read) return read;
  const wrong = betaFault(body, betas) ?? bodyFault(body, model, Number(maxTokens), read);
  if (wrong !== undefined) return fault(wrong);
  const user = isJson(body['metadata']) ? body['metadata']['user_id'] : '';
  return {
    model,
    stream: stream === true,
    includeUsage: true,
    maxTokens: counts ? null : Number(maxTokens),
    prompt: read.texts.join(' '),
    nonce: typeof user === 'string' ? user : '',
  };
};

const check = (input: CheckInput): ParsedRequest | ChatFault => {
  const wrongHeaders = checkHeaders(input);
  if (wrongHeaders !== undefined) return wrongHeaders;
  if (input.request.headers['anthropic-version'] === undefined) return fault('anthropic-version: header is required');
  const { headers, url = '' } = input.request;
  return checkMessages(input.body, {
    counts: url.endsWith('/count_tokens'),
    betas: betasIn(headers['anthropic-beta']),
  });
};

const errorTypes = new Map([
  [401, 'authentication_error'],
  [404, 'not_found_error'],
]);

const usageOf = (usage: unknown) => {
  if (!isJson(usage)) return { input_tokens: 0, output_tokens: 0 };
  return { input_tokens: usage['prompt_tokens'], output_tokens: usage['completion_tokens'] };
};

const messageOf = ({ model }: ParsedRequest, { id }: Made) => ({
  id: `msg_${id.replace('chatcmpl-', '')}`,
  type: 'message',
  role: 'assistant',
  model,
});

const sse = (data: Block): string => `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;

/** Anthropic's Messages API (provider notes 5 and 21). */
export const anthropicForm: UpstreamForm = {
  check,
  refusal: ({ fault: message, status }) =>
    JSON.stringify({
      type: 'error',
      error: { type: errorTypes.get(status) ?? 'invalid_request_error', message },
      request_id: 'req_fake',
    }),
  whole: (request, made) =>
    JSON.stringify({
      ...messageOf(request, made),
      content: [{ type: 'text', text: made.words.join('') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: usageOf(made.usage),
    }),
  events: (chat, made) => {
    const usage = usageOf(made.usage);
    const message = { ...messageOf(chat, made), content: [], stop_reason: null, stop_sequence: null };
    return [
      sse({ type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } }),
      sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      sse({ type: 'ping' }),
      ...made.words.map((text) => sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      sse({ type: 'content_block_stop', index: 0 }),
      sse({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      }),
      sse({ type: 'message_stop' }),
    ];
  },
};
