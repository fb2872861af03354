import type { AnswerFormat, Conversation, Reasoning, Tool, ToolChoice } from '../../conversation/conversation.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import type { ReadFault } from '../dialect.ts';
import { effortOf } from '../../conversation/reasoning-effort.ts';
import { readingFaults, UnreadableError } from '../read-fault.ts';
import { type Find, turnsOf } from './responses-items.ts';

const toolOf = (tool: Json): Tool => {
  if (tool['type'] !== 'function')
    throw new UnreadableError(`tools of type ${String(tool['type']).slice(0, 64)} are not supported by this channel`);
  const { parameters, strict } = tool;
  return {
    name: textAt(tool, 'name'),
    description: textAt(tool, 'description'),
    parameters: isObject(parameters) ? parameters : null,
    strict: typeof strict === 'boolean' ? strict : null,
  };
};

const toolChoiceOf = ({ tool_choice: choice }: Json): ToolChoice | null => {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice };
  if (!isObject(choice) || choice['type'] !== 'function') return null;
  return { kind: 'tool', name: textAt(choice, 'name') };
};

const answerFormatOf = (body: Json): AnswerFormat => {
  const format = objectAt(objectAt(body, 'text'), 'format');
  if (format['type'] === 'json_object') return { kind: 'json' };
  if (format['type'] !== 'json_schema') return { kind: 'text' };
  const { strict } = format;
  return {
    kind: 'schema',
    name: textAt(format, 'name') || 'answer',
    description: textAt(format, 'description'),
    schema: objectAt(format, 'schema'),
    strict: typeof strict === 'boolean' ? strict : null,
  };
};

const reasoningOf = (body: Json): Reasoning | null => {
  const { reasoning } = body;
  if (!isObject(reasoning)) return null;
  const { effort, summary, generate_summary: older } = reasoning;
  const visible = typeof summary === 'string' || typeof older === 'string';
  return { effort: effortOf(effort), budget: null, visible };
};

/** Members that refer to state stored by a vendor, which other vendors do not have. */
const kept = ['conversation', 'prompt'];

const build = (body: Json, find: Find): Conversation => {
  const stateful = kept.find((name) => body[name] !== undefined && body[name] !== null);
  if (stateful !== undefined) throw new UnreadableError(`${stateful} is not supported by this channel`);
  const turns = turnsOf(body, find);
  const first = turns.findIndex(({ role }) => role !== 'system');
  const leading = first < 0 ? turns.length : first;
  const instructions = textAt(body, 'instructions');
  const { parallel_tool_calls: parallel } = body;
  return {
    system: [
      ...(instructions === '' ? [] : [{ kind: 'text', text: instructions } as const]),
      ...turns.slice(0, leading).flatMap((turn) => (turn.role === 'system' ? turn.parts : [])),
    ],
    turns: turns.slice(leading),
    tools: objectsAt(body, 'tools').map(toolOf),
    toolChoice: toolChoiceOf(body),
    parallelTools: typeof parallel === 'boolean' ? parallel : null,
    outputLimit: numberAt(body, 'max_output_tokens'),
    temperature: numberAt(body, 'temperature'),
    topP: numberAt(body, 'top_p'),
    topK: null,
    seed: null,
    presencePenalty: null,
    frequencyPenalty: null,
    stop: [],
    answerFormat: answerFormatOf(body),
    reasoning: reasoningOf(body),
    user: textAt(body, 'user') || textAt(body, 'safety_identifier') || null,
    members: body,
  };
};

/** A request for a response in neutral form (provider notes 19.3, 19.4). */
export const responsesConversation = (bytes: Buffer, find: Find): Conversation | ReadFault => {
  const body = parseExact(bytes.toString());
  if (!isObject(body)) return { kind: 'fault', code: 'invalid_json', message: 'the body must be a JSON object' };
  return readingFaults(() => build(body, find));
};
