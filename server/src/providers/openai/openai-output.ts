import { isObject, type Json, objectAt } from '../../conversation/json.ts';
import type { Usage, UsageParts } from '../../conversation/usage.ts';

/** A text, or the texts of a list of parts, thinking included. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return isObject(value) ? textOf(value['content']) : '';
  return value.map((part) => (isObject(part) ? textOf(part['text'] ?? part['thinking']) : '')).join('');
};

const isThinking = (part: unknown): boolean => isObject(part) && 'thinking' in part;

/** The thinking in a content that is a list of parts (Mistral). */
export const thinkingIn = (content: unknown): string =>
  Array.isArray(content) ? textOf(content.filter(isThinking)) : '';

/** The content without its thinking. */
export const answerIn = (content: unknown): string =>
  textOf(Array.isArray(content) ? content.filter((part) => !isThinking(part)) : content);

const callText = (call: unknown): string => {
  const called = isObject(call) ? (isObject(call['function']) ? call['function'] : call) : {};
  return textOf(called['name']) + textOf(called['arguments']);
};

/** All output of a message or delta: text, reasoning, refusal, tool calls. */
const messageText = (message: Json): string => {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].map(callText).join('') : '';
  const called = message['function_call'] === undefined ? '' : callText(message['function_call']);
  const reasoning = textOf(message['reasoning_content'] ?? message['reasoning']);
  return textOf(message['content']) + reasoning + textOf(message['refusal']) + calls + called;
};

export const choicesOf = (body: Json): readonly Json[] => {
  const { choices } = body;
  return Array.isArray(choices) ? choices.filter(isObject) : [];
};

/** The output text of a chat completion or of one chunk. */
export const outputOf = (body: Json): string => {
  let output = '';
  for (const choice of choicesOf(body)) {
    const message = choice['delta'] ?? choice['message'];
    output += isObject(message) ? messageText(message) : textOf(choice['text']);
  }
  return output;
};

/**
 * `usage` of a body or chunk; some vendors put it into the first choice. Null: absent.
 * @param tier of an earlier chunk, which the last one may not repeat
 */
export const usageOf = (body: Json, tier: unknown = body['service_tier']): Usage | null => {
  const usage = body['usage'] ?? choicesOf(body)[0]?.['usage'];
  if (!isObject(usage)) return null;
  return {
    prompt: usage['prompt_tokens'],
    completion: usage['completion_tokens'],
    total: usage['total_tokens'],
    parts: partsOf(usage),
    ...(tier !== undefined && { serviceTier: tier }),
  };
};

/** The details of a usage report, with the cache figures of all vendors of this format (provider notes 20.1). */
const partsOf = (usage: Json): UsageParts => {
  const prompt = objectAt(usage, 'prompt_tokens_details');
  const completion = objectAt(usage, 'completion_tokens_details');
  return {
    cacheRead: prompt['cached_tokens'] ?? usage['cached_tokens'] ?? usage['prompt_cache_hit_tokens'],
    cacheWrite: prompt['cache_write_tokens'],
    audioPrompt: prompt['audio_tokens'],
    imagePrompt: prompt['image_tokens'],
    reasoning: completion['reasoning_tokens'],
    audioCompletion: completion['audio_tokens'],
    imageCompletion: completion['image_tokens'],
  };
};
