import type { Answer, Finish } from '../../conversation/answer.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { reportedAnthropicFailure } from './anthropic-failure.ts';
import { jsonTool } from './anthropic-request.ts';
import { anthropicUsage } from './anthropic-usage.ts';
import { badBody } from '../failure.ts';
import type { Refusal } from '../provider.ts';

const finishes = new Map<unknown, Finish>([
  ['end_turn', 'stop'],
  ['pause_turn', 'stop'],
  ['stop_sequence', 'stop_sequence'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** The finish reason of a `stop_reason`. A forced tool call that carries an answer by schema is a normal stop. */
export const finishOf = (reason: unknown, byTool: boolean): Finish =>
  byTool && reason === 'tool_use' ? 'stop' : (finishes.get(reason) ?? 'stop');

/** What a refusal says about itself, as the text of the refusal. */
export const refusalOf = (ended: Json): string => textAt(objectAt(ended, 'stop_details'), 'explanation');

const refusalParts = (message: Json): readonly AssistantPart[] => {
  const text = refusalOf(message);
  return text === '' ? [] : [{ kind: 'refusal', text }];
};

const partOf = (block: Json, byTool: boolean): readonly AssistantPart[] => {
  switch (block['type']) {
    case 'text':
      return [{ kind: 'text', text: textAt(block, 'text') }];
    case 'thinking':
      return [{ kind: 'reasoning', text: textAt(block, 'thinking'), signature: textAt(block, 'signature') }];
    case 'redacted_thinking':
      return [{ kind: 'reasoning', text: '', signature: textAt(block, 'data'), redacted: true }];
    case 'tool_use': {
      const input = JSON.stringify(block['input'] ?? {});
      const name = textAt(block, 'name');
      if (byTool && name === jsonTool) return [{ kind: 'text', text: input }];
      return [{ kind: 'tool_call', id: textAt(block, 'id'), name, arguments: input }];
    }
    default:
      return [];
  }
};

/** Reads a whole message; `byTool`: a call of `jsonTool` is the answer. */
export const anthropicAnswer = (body: Buffer, byTool: boolean): Answer | Refusal => {
  const parsed = parseExact(body.toString());
  if (!isObject(parsed)) return { kind: 'refusal', failure: badBody('the upstream response is not a JSON object') };
  const failure = reportedAnthropicFailure(parsed);
  if (failure !== null) return { kind: 'refusal', failure };
  if (!Array.isArray(parsed['content']))
    return { kind: 'refusal', failure: badBody('the upstream response has no content') };
  const usage = parsed['usage'];
  const stopText = textAt(parsed, 'stop_sequence');
  return {
    id: textAt(parsed, 'id'),
    parts: [...objectsAt(parsed, 'content').flatMap((block) => partOf(block, byTool)), ...refusalParts(parsed)],
    finish: finishOf(parsed['stop_reason'], byTool),
    ...(stopText !== '' && { stopText }),
    usage: isObject(usage) ? anthropicUsage(usage) : null,
  };
};
