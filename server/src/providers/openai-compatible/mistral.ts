import { createHash } from 'node:crypto';
import type { Reasoning } from '../../conversation/conversation.ts';
import { effortOf, wantsReasoning } from '../../conversation/reasoning-effort.ts';
import { type Json, objectsAt, omit, textAt } from '../../conversation/json.ts';
import { withLimitIn, withoutOpenAiOnly } from '../openai/fitted-body.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider, ProviderCall } from '../provider.ts';

const ownId = /^[a-zA-Z0-9]{9}$/;

/** Tool call ids have nine letters or digits: other ids are mapped to such, always the same one. */
const callId = (id: string): string =>
  ownId.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);

/** The members of a message that the vendor knows. */
const messageMembers: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'prefix']);

const messageWith = (message: Json): Json => {
  const calls = objectsAt(message, 'tool_calls').map((call) => ({ ...call, id: callId(textAt(call, 'id')) }));
  const { tool_calls: _, ...known } = Object.fromEntries(
    Object.entries(message).filter(([name]) => messageMembers.has(name)),
  );
  return {
    ...known,
    ...('tool_call_id' in message && { tool_call_id: callId(textAt(message, 'tool_call_id')) }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
};

/** A prefilled answer must be marked as such. */
const prefixed = (messages: readonly Json[]): readonly Json[] => {
  const last = messages.at(-1);
  return last?.['role'] === 'assistant' ? [...messages.slice(0, -1), { ...last, prefix: true }] : messages;
};

/** The vendor rejects unknown members. */
const rewrite = ({ seed, ...body }: Json): Json => ({
  ...body,
  messages: prefixed(objectsAt(body, 'messages').map(messageWith)),
  ...(seed !== undefined && { random_seed: seed }),
});

const reasoningModels = /^mistral-(?:small|medium)-(?:2[6-9]\d\d|latest)/;

const effort = (on: boolean) => ({ reasoning_effort: on ? 'high' : 'none' });

const reasoning = (requested: Reasoning, model: string): Json =>
  reasoningModels.test(model) ? effort(wantsReasoning(requested)) : {};

const native = (body: Json, { model }: ProviderCall): Json => {
  const requested = effortOf(body['reasoning_effort']);
  const known = withLimitIn('max_tokens', omit(withoutOpenAiOnly(body), ['stream_options']));
  return {
    ...rewrite(known),
    ...(requested !== null && reasoningModels.test(model) && effort(requested !== 'none' && requested !== 'minimal')),
  };
};

/** Streams always end with their usage. Source: docs.mistral.ai, chat completions. */
export const mistral: Provider = openAiCompatible({
  requestsStreamUsage: () => false,
  limitMember: 'max_tokens',
  bounds: () => ({ temperature: [0, 1.5], user: null }),
  reasoning,
  rewrite,
  native,
});
