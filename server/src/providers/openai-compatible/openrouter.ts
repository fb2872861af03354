import type { Reasoning } from '../../conversation/conversation.ts';
import type { Json } from '../../conversation/json.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider } from '../provider.ts';

/** By effort or by tokens, never by both. */
const reasoning = ({ effort, budget }: Reasoning): Json => {
  if (effort !== null) return { reasoning: { effort: effort === 'max' ? 'xhigh' : effort } };
  return budget === null ? {} : { reasoning: budget === 0 ? { effort: 'none' } : { max_tokens: budget } };
};

/** Requests carry the gateway's name and address. Source: openrouter.ai, API reference. */
export const openRouter: Provider = openAiCompatible({
  headers: ({ gateway }, { key }) => [
    'authorization',
    `Bearer ${key}`,
    'x-title',
    encodeURI(gateway.name),
    ...(gateway.address === '' ? [] : ['http-referer', encodeURI(gateway.address)]),
  ],
  replaysReasoning: 'reasoning',
  reasoning,
});
