import type { Abridged } from '../../conversation/abridged.ts';
import type { AnswerFormat, Conversation, Reasoning, Tool, ToolChoice, Turn } from '../../conversation/conversation.ts';
import { effortOf } from '../../conversation/reasoning-effort.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { abridge, userContents } from '../scan/abridge.ts';
import type { ReadFault } from '../dialect.ts';
import { assistantPartsOf, legacyCallId, partsOf, textPartsOf } from './openai-chat-parts.ts';
import { readingFaults, UnreadableError } from '../read-fault.ts';

/** Names of the tools that were called so far, by the ids of the calls. */
type Called = Map<string, string>;

const toolTurn = (message: Json, called: Called): Turn => {
  const legacy = message['role'] === 'function';
  const callId = legacy ? legacyCallId(textAt(message, 'name')) : textAt(message, 'tool_call_id');
  if (callId === '') throw new UnreadableError('a tool message needs a tool_call_id');
  const parts = partsOf(message['content']).filter((part) => part.kind !== 'audio');
  return { role: 'tool', callId, name: called.get(callId) ?? textAt(message, 'name'), parts, isError: false };
};

const turnOf = (message: Json, called: Called): Turn => {
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: textPartsOf(message['content']) };
    case 'user':
      return { role: 'user', parts: partsOf(message['content']) };
    case 'assistant': {
      const parts = assistantPartsOf(message);
      for (const part of parts) if (part.kind === 'tool_call') called.set(part.id, part.name);
      return { role: 'assistant', parts };
    }
    case 'tool':
    case 'function':
      return toolTurn(message, called);
    default:
      throw new UnreadableError(`messages of role ${String(message['role']).slice(0, 64)} are not supported`);
  }
};

const turnsOf = (body: Json): readonly Turn[] => {
  const { messages } = body;
  if (!Array.isArray(messages)) throw new UnreadableError('messages must be a list');
  const called: Called = new Map();
  return messages.map((message) => {
    if (!isObject(message)) throw new UnreadableError('every message must be an object');
    return turnOf(message, called);
  });
};

const toolOf = (described: Json): Tool => {
  const name = textAt(described, 'name');
  if (name === '') throw new UnreadableError('a function needs a name');
  const { parameters, strict } = described;
  return {
    name,
    description: textAt(described, 'description'),
    parameters: isObject(parameters) ? parameters : null,
    strict: typeof strict === 'boolean' ? strict : null,
  };
};

const toolsOf = (body: Json): readonly Tool[] => {
  const listed = objectsAt(body, 'tools').map((tool) => {
    if (tool['type'] !== 'function')
      throw new UnreadableError(`tools of type ${String(tool['type']).slice(0, 64)} are not supported`);
    return toolOf(objectAt(tool, 'function'));
  });
  return [...listed, ...objectsAt(body, 'functions').map(toolOf)];
};

const toolChoiceOf = (body: Json): ToolChoice | null => {
  const choice = body['tool_choice'] ?? body['function_call'];
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice };
  if (!isObject(choice)) return null;
  const name = textAt(objectAt(choice, 'function'), 'name') || textAt(choice, 'name');
  return name === '' ? null : { kind: 'tool', name };
};

const answerFormatOf = (body: Json): AnswerFormat => {
  const format = objectAt(body, 'response_format');
  if (format['type'] === 'json_object') return { kind: 'json' };
  if (format['type'] !== 'json_schema') return { kind: 'text' };
  const described = objectAt(format, 'json_schema');
  const { strict } = described;
  return {
    kind: 'schema',
    name: textAt(described, 'name') || 'answer',
    description: textAt(described, 'description'),
    schema: objectAt(described, 'schema'),
    strict: typeof strict === 'boolean' ? strict : null,
  };
};

/** OpenAI's own member, and those that other vendors of the format take. */
const reasoningOf = (body: Json): Reasoning | null => {
  const thinking = objectAt(body, 'thinking');
  const reasoning = objectAt(body, 'reasoning');
  const off = thinking['type'] === 'disabled' || body['enable_thinking'] === false;
  const effort = off ? 'none' : effortOf(body['reasoning_effort'] ?? reasoning['effort']);
  const budget =
    numberAt(thinking, 'budget_tokens') ?? numberAt(reasoning, 'max_tokens') ?? numberAt(body, 'thinking_budget');
  const on = thinking['type'] === 'enabled' || body['enable_thinking'] === true;
  return effort === null && budget === null && !on ? null : { effort, budget, visible: true };
};

/** Texts that end the answer. */
export const stopOf = ({ stop }: Json): readonly string[] =>
  (Array.isArray(stop) ? stop : [stop]).filter((text): text is string => typeof text === 'string' && text !== '');

const build = (body: Json): Conversation => {
  const turns = turnsOf(body);
  const first = turns.findIndex(({ role }) => role !== 'system');
  const leading = first < 0 ? turns.length : first;
  const { parallel_tool_calls: parallel } = body;
  return {
    system: turns.slice(0, leading).flatMap((turn) => (turn.role === 'system' ? turn.parts : [])),
    turns: turns.slice(leading),
    tools: toolsOf(body),
    toolChoice: toolChoiceOf(body),
    parallelTools: typeof parallel === 'boolean' ? parallel : null,
    outputLimit: numberAt(body, 'max_completion_tokens') || numberAt(body, 'max_tokens') || null,
    temperature: numberAt(body, 'temperature'),
    topP: numberAt(body, 'top_p'),
    topK: numberAt(body, 'top_k'),
    seed: numberAt(body, 'seed'),
    presencePenalty: numberAt(body, 'presence_penalty'),
    frequencyPenalty: numberAt(body, 'frequency_penalty'),
    stop: stopOf(body),
    answerFormat: answerFormatOf(body),
    reasoning: reasoningOf(body),
    user: textAt(body, 'user') || textAt(body, 'safety_identifier') || null,
    members: body,
  };
};

const textOfPart = (part: Json): unknown => {
  if (part['type'] === 'text') return part['text'];
  const image = part['type'] === 'image_url' ? part['image_url'] : null;
  return isObject(image) ? image['url'] : image;
};

/** Texts and media of users, which are passed to vendors unchanged. */
const userTexts = (body: Json): readonly unknown[] => userContents(body, textOfPart);

const conversationOf = (body: unknown): Conversation | ReadFault => {
  if (!isObject(body)) return { kind: 'fault', code: 'invalid_json', message: 'the body must be a JSON object' };
  return readingFaults(() => build(body));
};

/** A chat completion request in neutral form (provider notes 19.1). */
export const chatConversation = (bytes: Buffer): Conversation | ReadFault =>
  conversationOf(parseExact(bytes.toString()));

/** The same without the longest texts and images of its users. */
export const abridgedChat = (bytes: Buffer): Abridged | ReadFault => {
  const { body, restore } = abridge(bytes, userTexts);
  const conversation = conversationOf(body);
  return 'kind' in conversation ? conversation : { conversation, restore };
};
