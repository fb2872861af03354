import type { Effort, Reasoning } from '../../conversation/conversation.ts';
import { wantedEffort, wantsReasoning } from '../../conversation/reasoning-effort.ts';
import type { Json } from '../../conversation/json.ts';
import type { ChatBounds } from '../chat-bounds.ts';
import { type FailureCodes, failureOfError } from '../failure-by-code.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider } from '../provider.ts';

/** Models that reject sampling parameters. */
const samplesByItself = /^kimi-k(?:2\.[5-9]|[3-9])/;

const common = { seed: null, user: null, toolChoices: ['none'] } as const;

const bounds = (model: string): ChatBounds =>
  samplesByItself.test(model)
    ? { ...common, temperature: null, topP: null, penalties: null }
    : { ...common, temperature: [0, 1], stopMax: 5 };

const levels: Readonly<Record<Effort, string>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'high',
  high: 'high',
  xhigh: 'max',
  max: 'max',
};

/** Some models can turn thinking off; later ones always think and take an effort. */
const reasoning = (requested: Reasoning, model: string): Json => {
  if (/^kimi-k2\.[56]/.test(model)) return { thinking: { type: wantsReasoning(requested) ? 'enabled' : 'disabled' } };
  const effort = wantedEffort(requested);
  return effort === null || !/^kimi-k[3-9]/.test(model) ? {} : { reasoning_effort: levels[effort] };
};

/** The vendor's error objects have only a type. */
const types: FailureCodes = new Map([
  ['content_filter', [400, 'content_filter']],
  ['invalid_authentication_error', [401, 'invalid_api_key']],
  ['incorrect_api_key_error', [401, 'invalid_api_key']],
  ['permission_denied_error', [403, 'permission_denied']],
  ['resource_not_found_error', [404, 'model_not_found']],
  ['rate_limit_reached_error', [429, 'rate_limit_exceeded']],
  ['engine_overloaded_error', [429, 'rate_limit_exceeded']],
  ['exceeded_current_quota_error', [402]],
]);

/** Reasoning models require their reasoning back with their tool calls. Source: platform.moonshot.cn. */
export const moonshot: Provider = openAiCompatible({
  replaysReasoning: 'reasoning_content',
  bounds,
  oneAnswer: (model) => samplesByItself.test(model),
  reasoning,
  failure: failureOfError(types),
});
