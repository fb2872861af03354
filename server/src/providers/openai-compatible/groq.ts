import type { Reasoning } from '../../conversation/conversation.ts';
import { levelOf, wantedEffort } from '../../conversation/reasoning-effort.ts';
import { type Json, omit } from '../../conversation/json.ts';
import { readFailure } from '../failure.ts';
import { withoutNames } from '../openai/fitted-body.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider } from '../provider.ts';

const reasoning = (requested: Reasoning, model: string): Json => {
  const effort = wantedEffort(requested);
  if (effort === null) return {};
  if (model.startsWith('qwen/')) return { reasoning_effort: effort === 'none' ? 'none' : 'default' };
  return /gpt-oss/.test(model) ? { reasoning_effort: levelOf(effort) } : {};
};

/** The vendor's status for missing capacity. */
const noCapacity = 498;

/** Source: console.groq.com, API reference and errors. */
export const groq: Provider = openAiCompatible({
  limitMember: 'max_completion_tokens',
  replaysReasoning: 'reasoning',
  reasoning,
  oneAnswer: () => true,
  native: (body) => withoutNames(omit(body, ['logprobs', 'top_logprobs', 'logit_bias'])),
  failure: (status, body) => readFailure(status === noCapacity ? 503 : status, body),
});
