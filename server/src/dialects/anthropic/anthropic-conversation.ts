import type { Abridged } from '../../conversation/abridged.ts';
import { withCallSignatures } from '../../conversation/call-signatures.ts';
import type {
  AnswerFormat,
  AssistantPart,
  Conversation,
  FilePart,
  ImagePart,
  Reasoning,
  Source,
  TextPart,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { abridge, userContents } from '../scan/abridge.ts';
import type { ReadFault } from '../dialect.ts';
import { effortOf } from '../../conversation/reasoning-effort.ts';
import { readingFaults, UnreadableError } from '../read-fault.ts';

const named = (value: unknown): string => String(value).slice(0, 64);

const cacheOf = (block: Json): { readonly cache?: Json } => {
  const mark = block['cache_control'];
  return isObject(mark) ? { cache: mark } : {};
};

const textPart = (block: Json): TextPart => ({ kind: 'text', text: textAt(block, 'text'), ...cacheOf(block) });

const sourceOf = (source: Json): Source => {
  if (source['type'] === 'url') return { kind: 'url', url: textAt(source, 'url') };
  if (source['type'] === 'base64')
    return { kind: 'data', mime: textAt(source, 'media_type'), base64: textAt(source, 'data') };
  throw new UnreadableError(`sources of type ${named(source['type'])} are not supported`);
};

const imagePart = (block: Json): ImagePart => ({
  kind: 'image',
  source: sourceOf(objectAt(block, 'source')),
  detail: null,
  ...cacheOf(block),
});

const filePart = (block: Json): FilePart => {
  const source = objectAt(block, 'source');
  const content = source['content'];
  const name = textAt(block, 'title');
  if (source['type'] === 'text')
    return { kind: 'file', name, source: { kind: 'text', text: textAt(source, 'data') }, ...cacheOf(block) };
  if (source['type'] === 'content') {
    const text = typeof content === 'string' ? content : textsOf(content);
    return { kind: 'file', name, source: { kind: 'text', text }, ...cacheOf(block) };
  }
  return { kind: 'file', name, source: sourceOf(source), ...cacheOf(block) };
};

const textsOf = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .filter(isObject)
        .map((block) => textAt(block, 'text'))
        .join('\n')
    : '';

const searchPart = (block: Json): TextPart => {
  const head = [textAt(block, 'title'), textAt(block, 'source')].filter((text) => text !== '').join('\n');
  return { kind: 'text', text: `${head}\n${textsOf(block['content'])}`, ...cacheOf(block) };
};

/** Content of a user or of a tool, but for the results of tools. */
const contentPart = (block: Json): TextPart | ImagePart | FilePart => {
  switch (block['type']) {
    case 'text':
      return textPart(block);
    case 'image':
      return imagePart(block);
    case 'document':
      return filePart(block);
    case 'search_result':
      return searchPart(block);
    default:
      throw new UnreadableError(`content of type ${named(block['type'])} is not supported by this channel`);
  }
};

const blocksOf = (content: unknown): readonly Json[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) throw new UnreadableError('content must be a text or a list');
  return content.filter(isObject);
};

/** Names of the tools that were called so far, by the ids of the calls. */
type Called = Map<string, string>;

const toolTurn = (block: Json, called: Called): Turn => {
  const callId = textAt(block, 'tool_use_id');
  return {
    role: 'tool',
    callId,
    name: called.get(callId) ?? '',
    parts: blocksOf(block['content']).map(contentPart),
    isError: block['is_error'] === true,
  };
};

const userTurns = (content: unknown, called: Called): readonly Turn[] => {
  const turns: Turn[] = [];
  const parts: UserPart[] = [];
  for (const block of blocksOf(content)) {
    if (block['type'] === 'tool_result') turns.push(toolTurn(block, called));
    else parts.push(contentPart(block));
  }
  return parts.length === 0 ? turns : [...turns, { role: 'user', parts }];
};

const assistantPart = (block: Json, called: Called): readonly AssistantPart[] => {
  switch (block['type']) {
    case 'text':
      return [textPart(block)];
    case 'thinking':
      return [{ kind: 'reasoning', text: textAt(block, 'thinking'), signature: textAt(block, 'signature') }];
    case 'redacted_thinking':
      return [{ kind: 'reasoning', text: '', signature: textAt(block, 'data'), redacted: true }];
    case 'tool_use': {
      const id = textAt(block, 'id');
      const name = textAt(block, 'name');
      called.set(id, name);
      return [{ kind: 'tool_call', id, name, arguments: JSON.stringify(block['input'] ?? {}) }];
    }
    default:
      // What tools of the vendor's own servers did stays with that vendor.
      return [];
  }
};

const turnsOf = ({ messages }: Json): readonly Turn[] => {
  if (!Array.isArray(messages)) throw new UnreadableError('messages must be a list');
  const called: Called = new Map();
  return messages.flatMap((message): readonly Turn[] => {
    if (!isObject(message)) throw new UnreadableError('every message must be an object');
    const { role, content } = message;
    if (role === 'user') return userTurns(content, called);
    if (role === 'system')
      return [
        {
          role: 'system',
          parts: blocksOf(content)
            .filter(({ type }) => type === 'text')
            .map(textPart),
        },
      ];
    if (role !== 'assistant') throw new UnreadableError(`messages of role ${named(role)} are not supported`);
    return [{ role, parts: withCallSignatures(blocksOf(content).flatMap((block) => assistantPart(block, called))) }];
  });
};

const toolOf = (tool: Json): Tool => {
  const type = tool['type'];
  if (type !== undefined && type !== null && type !== 'custom')
    throw new UnreadableError(`tools of type ${named(type)} are not supported by this channel`);
  const { input_schema: parameters, strict } = tool;
  return {
    name: textAt(tool, 'name'),
    description: textAt(tool, 'description'),
    parameters: isObject(parameters) ? parameters : null,
    strict: typeof strict === 'boolean' ? strict : null,
    ...cacheOf(tool),
  };
};

const toolChoiceOf = (choice: Json): ToolChoice | null => {
  switch (choice['type']) {
    case 'auto':
      return { kind: 'auto' };
    case 'none':
      return { kind: 'none' };
    case 'any':
      return { kind: 'required' };
    case 'tool':
      return { kind: 'tool', name: textAt(choice, 'name') };
    default:
      return null;
  }
};

const reasoningOf = (body: Json): Reasoning | null => {
  const thinking = objectAt(body, 'thinking');
  const effort = effortOf(objectAt(body, 'output_config')['effort']);
  const visible = thinking['display'] !== 'omitted';
  switch (thinking['type']) {
    case 'disabled':
      return { effort: 'none', budget: null, visible: false };
    case 'enabled':
      return { effort, budget: numberAt(thinking, 'budget_tokens'), visible };
    case 'adaptive':
      return { effort, budget: null, visible };
    default:
      return effort === null ? null : { effort, budget: null, visible };
  }
};

const answerFormatOf = (body: Json): AnswerFormat => {
  const config = objectAt(objectAt(body, 'output_config'), 'format');
  const format = isObject(body['output_format']) ? body['output_format'] : config;
  if (format['type'] !== 'json_schema') return { kind: 'text' };
  return { kind: 'schema', name: 'answer', description: '', schema: objectAt(format, 'schema'), strict: true };
};

const build = (body: Json): Conversation => {
  const choice = objectAt(body, 'tool_choice');
  const { disable_parallel_tool_use: single, type } = choice;
  const { stop_sequences: stop } = body;
  return {
    system: blocksOf(body['system']).map(textPart),
    turns: turnsOf(body),
    tools: objectsAt(body, 'tools').map(toolOf),
    toolChoice: toolChoiceOf(choice),
    parallelTools: type !== undefined && single === true ? false : null,
    outputLimit: numberAt(body, 'max_tokens'),
    temperature: numberAt(body, 'temperature'),
    topP: numberAt(body, 'top_p'),
    topK: numberAt(body, 'top_k'),
    seed: null,
    presencePenalty: null,
    frequencyPenalty: null,
    stop: Array.isArray(stop) ? stop.filter((text) => typeof text === 'string') : [],
    answerFormat: answerFormatOf(body),
    reasoning: reasoningOf(body),
    user: textAt(objectAt(body, 'metadata'), 'user_id') || null,
    members: body,
  };
};

const textOfBlock = (block: Json): unknown => {
  if (block['type'] === 'text') return block['text'];
  return block['type'] === 'image' ? objectAt(block, 'source')['data'] : null;
};

/** Texts and media of users, which are passed to vendors unchanged. */
const userTexts = (body: Json): readonly unknown[] => userContents(body, textOfBlock);

const conversationOf = (body: unknown): Conversation | ReadFault => {
  if (!isObject(body)) return { kind: 'fault', code: 'invalid_json', message: 'the body must be a JSON object' };
  return readingFaults(() => build(body));
};

/** A request for a message in neutral form (provider notes 19.5). */
export const anthropicConversation = (bytes: Buffer): Conversation | ReadFault =>
  conversationOf(parseExact(bytes.toString()));

/** The same without the longest texts and images of its users. */
export const abridgedMessages = (bytes: Buffer): Abridged | ReadFault => {
  const { body, restore } = abridge(bytes, userTexts);
  const conversation = conversationOf(body);
  return 'kind' in conversation ? conversation : { conversation, restore };
};
