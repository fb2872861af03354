import { countOf, type Usage } from '../../conversation/usage.ts';
import { type Json, objectAt } from '../../conversation/json.ts';

/**
 * Anthropic does not include cached tokens in `input_tokens` (provider notes 5). `before` is the report at the start of
 * a stream: the one at its end repeats only a part of it.
 */
export const anthropicUsage = (usage: Json, before: Json = {}): Usage => {
  const all = { ...before, ...Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)) };
  const { input_tokens: input, output_tokens: completion, service_tier: tier } = all;
  const cacheRead = countOf(all['cache_read_input_tokens']);
  const written = countOf(all['cache_creation_input_tokens']);
  const cacheWriteLong = Math.min(written, countOf(objectAt(all, 'cache_creation')['ephemeral_1h_input_tokens']));
  return {
    prompt: typeof input === 'number' ? input + cacheRead + written : input,
    completion,
    total: undefined,
    parts: {
      cacheRead,
      cacheWrite: written - cacheWriteLong,
      cacheWriteLong,
      reasoning: objectAt(all, 'output_tokens_details')['thinking_tokens'],
    },
    ...(tier !== undefined && { serviceTier: tier }),
  };
};
