import { qianfanModel } from './baidu-models.ts';
import { parseBaseUrl } from '../base-url.ts';
import { failureOfError, type FailureCodes } from '../failure-by-code.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import { modelsBelow } from '../openai/openai-models.ts';
import { enableThinking, pathBelow } from '../openai/openai-request.ts';
import type { BaseUrl, Provider, ProviderChannel } from '../provider.ts';

const address = parseBaseUrl('https://qianfan.baidubce.com/v2');

/** Error codes that have another name with OpenAI. */
const codes: FailureCodes = new Map([
  ['invalid_iam_token', [401, 'invalid_api_key']],
  ['no_parameter_permission', [403, 'permission_denied']],
  ['access_denied', [403, 'permission_denied']],
  ['characters_too_long', [400, 'context_length_exceeded']],
  ['tokens_too_long', [400, 'context_length_exceeded']],
  ['unsafe_request', [400, 'content_filter']],
  ['rpm_rate_limit_exceeded', [429, 'rate_limit_exceeded']],
  ['tpm_rate_limit_exceeded', [429, 'rate_limit_exceeded']],
]);

const thinks = /^(?:qwen3|deepseek-v3\.[1-9]|ernie-5)/;

const addressOf = (base: BaseUrl | null): BaseUrl | null =>
  base === null || base.origin === 'https://aip.baidubce.com' ? address : base;

/** Baidu's newer API (Qianfan V2), also for channels with the older API's host. Source: cloud.baidu.com. */
export const qianfan: Provider = openAiCompatible({
  address: addressOf,
  models: { address: addressOf, path: modelsBelow('/v2') },
  path: pathBelow('/v2'),
  modelName: qianfanModel,
  limitMember: 'max_tokens',
  bounds: () => ({ systemFirst: true, modelAnswers: true, stopMax: 4 }),
  reasoning: (requested, model) => (thinks.test(model) ? enableThinking(requested) : {}),
  failure: failureOfError(codes),
});

/** Whether a channel of the older type has a key or a base URL of this API. */
export const isQianfan = ({ key, base }: ProviderChannel): boolean =>
  key.startsWith('bce-v3/') || (base !== null && /\/\/qianfan\.|\/v2$/.test(base.origin + base.path));
