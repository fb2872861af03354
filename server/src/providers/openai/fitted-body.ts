import { parseExact, withNumbersOf } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, numberAt, objectsAt, omit } from '../../conversation/json.ts';
import { refusal } from '../failure.ts';
import type { ProviderCall, ProviderChannel, Refusal } from '../provider.ts';
import { isReasoningModel } from './openai-chat-request.ts';
import { boundedBody, withoutDevelopers } from './bounded-body.ts';
import type { OpenAiTraits } from './openai-request.ts';

const limitMembers = ['max_tokens', 'max_completion_tokens'] as const;

/** The body with its output limit in the only member that the vendor takes; of two limits the lower one. */
export const withLimitIn = (member: (typeof limitMembers)[number], body: Json): Json => {
  if (limitMembers.every((name) => name === member || !(name in body))) return body;
  const limits = limitMembers.flatMap((name) => numberAt(body, name) ?? []).filter((limit) => limit > 0);
  return { ...omit(body, limitMembers), ...(limits.length > 0 && { [member]: Math.min(...limits) }) };
};

/** OpenAI's newer models. A deployment may have any name: the requested model then tells. */
const refusesMaxTokens = ({ model, requestedModel }: ProviderCall): boolean =>
  isReasoningModel(model) || isReasoningModel(requestedModel);

/** Where newer models of OpenAI refuse `max_tokens`. */
export const ownLimit = {
  native: (body: Json, call: ProviderCall): Json =>
    refusesMaxTokens(call) ? withLimitIn('max_completion_tokens', body) : body,
  needsNative: (bytes: Buffer, call: ProviderCall): boolean => refusesMaxTokens(call) && bytes.includes('"max_tokens"'),
} as const;

const openAiOnly = [
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'metadata',
  'modalities',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'service_tier',
  'store',
  'top_logprobs',
  'user',
  'verbosity',
  'web_search_options',
];

/** The body without members of OpenAI's, for vendors that refuse unknown ones. */
export const withoutOpenAiOnly = (body: Json): Json => omit(body, openAiOnly);

/** The body without the names of its messages. */
export const withoutNames = (body: Json): Json => {
  const messages = objectsAt(body, 'messages');
  if (!messages.some((message) => 'name' in message)) return body;
  return { ...body, messages: messages.map((message) => omit(message, ['name'])) };
};

/**
 * A chat completion request of the client without what the vendor refuses (docs/vendor-differences.md); byte for byte as
 * it is where it has none of that.
 */
export const fittedBody = (
  bytes: Buffer,
  call: ProviderCall,
  channel: ProviderChannel,
  { bounds, native, needsNative, oneAnswer }: OpenAiTraits,
): Buffer | Refusal => {
  if (bounds === undefined && native === undefined) return bytes;
  if (needsNative?.(bytes, call, channel) === false) return bytes;
  const body = parseExact(bytes.toString());
  if (!isObject(body)) return bytes;
  if ((numberAt(body, 'n') ?? 1) > 1 && oneAnswer?.(call.model) === true)
    return refusal('this channel returns one answer per request: n must be 1', 'n');
  const within = bounds === undefined ? body : boundedBody(withoutDevelopers(body), bounds(call.model));
  const fitted = native?.(within, call, channel) ?? within;
  const text = JSON.stringify(withNumbersOf(body, fitted));
  return text === JSON.stringify(body) ? bytes : Buffer.from(text);
};
