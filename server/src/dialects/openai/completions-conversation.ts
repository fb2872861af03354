import type { Conversation } from '../../conversation/conversation.ts';
import { isObject, type Json, numberAt, parseJson, textAt } from '../../conversation/json.ts';
import type { ReadFault } from '../dialect.ts';
import { stopOf } from './openai-chat-conversation.ts';
import { readingFaults, UnreadableError } from '../read-fault.ts';

/** The one prompt of a body. Tokens mean nothing to another vendor. */
const promptOf = ({ prompt }: Json): string => {
  const given: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt];
  const [text, ...others] = given;
  if (typeof text !== 'string' || others.length > 0) throw new UnreadableError('this channel takes one prompt as text');
  return text;
};

/** Members that a chat has nothing for. */
const refuseBeyondChat = (body: Json): void => {
  if (body['echo'] === true) throw new UnreadableError('echo is not supported by this channel');
  if (textAt(body, 'suffix') !== '') throw new UnreadableError('suffix is not supported by this channel');
};

const build = (body: Json): Conversation => {
  refuseBeyondChat(body);
  return {
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: promptOf(body) }] }],
    tools: [],
    toolChoice: null,
    parallelTools: null,
    outputLimit: numberAt(body, 'max_tokens') || null,
    temperature: numberAt(body, 'temperature'),
    topP: numberAt(body, 'top_p'),
    topK: null,
    seed: numberAt(body, 'seed'),
    presencePenalty: numberAt(body, 'presence_penalty'),
    frequencyPenalty: numberAt(body, 'frequency_penalty'),
    stop: stopOf(body),
    answerFormat: { kind: 'text' },
    reasoning: null,
    user: textAt(body, 'user') || null,
    members: body,
  };
};

/** A request for a completion in neutral form: its prompt is a user message (provider notes 19.2). */
export const completionsConversation = (bytes: Buffer): Conversation | ReadFault => {
  const body = parseJson(bytes.toString());
  if (!isObject(body)) return { kind: 'fault', code: 'invalid_json', message: 'the body must be a JSON object' };
  return readingFaults(() => build(body));
};
