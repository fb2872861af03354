import type { AnswerFormat } from '../../conversation/conversation.ts';
import { formatWords } from '../../conversation/format-words.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, omit, textAt } from '../../conversation/json.ts';
import { type ChatBounds, choiceText, inRange } from '../chat-bounds.ts';
import { textOf } from './openai-output.ts';

type Change = (body: Json, bounds: ChatBounds) => Json;

const messagesOf = (body: Json): readonly Json[] => objectsAt(body, 'messages');

const isSystem = ({ role }: Json): boolean => role === 'system';

/** With an instruction at the end of the system message. */
const withInstruction = (body: Json, text: string): Json => {
  const [first, ...others] = messagesOf(body);
  if (first === undefined || !isSystem(first)) {
    return { ...body, messages: [{ role: 'system', content: text }, ...messagesOf(body)] };
  }
  const { content } = first;
  const parts: readonly unknown[] | null = Array.isArray(content) ? content : null;
  const longer = parts === null ? `${textOf(content)}\n\n${text}` : [...parts, { type: 'text', text }];
  return { ...body, messages: [{ ...first, content: longer }, ...others] };
};

const inBounds: Change = (body, { temperature, topP }) => {
  const ranges = { temperature, top_p: topP };
  return Object.entries(ranges).reduce((one, [name, range]) => {
    const value = numberAt(one, name);
    const allowed = inRange(value, range);
    if (value === allowed) return one;
    return allowed === null ? omit(one, [name]) : { ...one, [name]: allowed };
  }, body);
};

const withoutRefused: Change = (body, { seed, penalties, user, parallelTools }) =>
  omit(body, [
    ...(seed === null ? ['seed'] : []),
    ...(penalties === null ? ['presence_penalty', 'frequency_penalty'] : []),
    ...(user === null ? ['user'] : []),
    ...(parallelTools === null ? ['parallel_tool_calls'] : []),
  ]);

const withStops: Change = (body, { stopMax = Infinity }) => {
  const { stop } = body;
  const count = Array.isArray(stop) ? stop.length : typeof stop === 'string' ? 1 : 0;
  if (count <= stopMax) return body;
  return stopMax === 0 || !Array.isArray(stop) ? omit(body, ['stop']) : { ...body, stop: stop.slice(0, stopMax) };
};

const choiceOf = (choice: unknown): Parameters<typeof choiceText>[0] | null => {
  if (choice === 'none' || choice === 'required' || choice === 'auto') return { kind: choice };
  const name = isObject(choice) ? textAt(objectAt(choice, 'function'), 'name') : '';
  return name === '' ? null : { kind: 'tool', name };
};

const withTools: Change = (body, { toolChoices }) => {
  const choice = choiceOf(body['tool_choice']);
  if (toolChoices === undefined || choice === null || choice.kind === 'auto') return body;
  if (toolChoices.includes(choice.kind)) return body;
  if (choice.kind === 'none') return omit(body, ['tools', 'tool_choice']);
  return withInstruction(omit(body, ['tool_choice']), choiceText(choice));
};

const formatOf = (format: Json): AnswerFormat | null => {
  if (format['type'] === 'json_object') return { kind: 'json' };
  if (format['type'] !== 'json_schema') return null;
  const { schema } = objectAt(format, 'json_schema');
  return { kind: 'schema', name: '', description: '', schema: isObject(schema) ? schema : {}, strict: null };
};

const withFormat: Change = (body, { format: accepted }) => {
  const format = formatOf(objectAt(body, 'response_format'));
  if (accepted === undefined || format === null || format.kind === accepted) return body;
  const rest = omit(body, ['response_format']);
  const words = formatWords(format) ?? '';
  return withInstruction(accepted === 'json' ? { ...rest, response_format: { type: 'json_object' } } : rest, words);
};

const withSystemFirst: Change = (body, { systemFirst }) => {
  const messages = messagesOf(body);
  if (systemFirst === undefined || !messages.slice(1).some(isSystem)) return body;
  const texts = messages.filter(isSystem).map(({ content }) => textOf(content));
  const others = messages.filter((message) => !isSystem(message));
  return { ...body, messages: [{ role: 'system', content: texts.join('\n\n') }, ...others] };
};

const withUser: Change = (body, { modelAnswers }) => {
  const messages = messagesOf(body);
  const first = messages.findIndex((message) => !isSystem(message));
  const [begins, ends] = [messages[first]?.['role'] === 'assistant', messages.at(-1)?.['role'] === 'assistant'];
  if (modelAnswers === undefined || (!begins && !ends)) return body;
  return {
    ...body,
    messages: [
      ...messages.slice(0, first),
      ...(begins ? [{ role: 'user', content: 'Hi' }] : []),
      ...messages.slice(first),
      ...(ends ? [{ role: 'user', content: 'Continue.' }] : []),
    ],
  };
};

/** A body of OpenAI's own form within a vendor's bounds: what `bounded` does with a conversation. */
export const boundedBody = (body: Json, bounds: ChatBounds): Json =>
  [inBounds, withoutRefused, withStops, withTools, withFormat, withSystemFirst, withUser].reduce(
    (one, change) => change(one, bounds),
    body,
  );

/** The same with OpenAI's newer name of the system role in its older form, which all vendors know. */
export const withoutDevelopers = (body: Json): Json => {
  const messages = messagesOf(body);
  if (!messages.some(({ role }) => role === 'developer')) return body;
  const renamed = messages.map((message) =>
    message['role'] === 'developer' ? { ...message, role: 'system' } : message,
  );
  return { ...body, messages: renamed };
};
