import { wantsReasoning } from '../../conversation/reasoning-effort.ts';
import { type Json, omit } from '../../conversation/json.ts';
import type { ChatBounds } from '../chat-bounds.ts';
import { codesThatMean, type FailureCodes, failureOfError } from '../failure-by-code.ts';
import { networkFailure } from '../openai/finish-reasons.ts';
import { withLimitIn, withoutOpenAiOnly } from '../openai/fitted-body.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import { modelsBelow } from '../openai/openai-models.ts';
import { pathBelow } from '../openai/openai-request.ts';
import type { Provider, ProviderChannel, ProviderCall } from '../provider.ts';
import { zhipuToken } from './zhipu-jwt.ts';

/** The vendor's codes are more specific than its statuses. */
const codes: FailureCodes = new Map([
  ...codesThatMean([500], 500),
  ...codesThatMean([1000, 1001, 1002, 1003, 1004], 401, 'invalid_api_key'),
  ...codesThatMean([1110, 1111, 1120], 403, 'permission_denied'),
  ...codesThatMean([1112, 1121], 401, 'account_deactivated'),
  ...codesThatMean([1113, 1309], 402),
  ...codesThatMean([1200, 1210, 1212, 1213, 1214, 1215], 400),
  ...codesThatMean([1211, 1222], 404, 'model_not_found'),
  ...codesThatMean([1220, 1311], 403, 'permission_denied'),
  ...codesThatMean([1221], 404, 'upstream_retired'),
  ...codesThatMean([1230, 1234], 502),
  ...codesThatMean([1231], 400),
  ...codesThatMean([1261], 400, 'context_length_exceeded'),
  ...codesThatMean([1300, 1301], 400, 'content_filter'),
  ...codesThatMean([1302, 1303, 1304, 1305, 1308, 1310, 1312, 1313], 429, 'rate_limit_exceeded'),
]);

const signed = 'jwt';
/** The lifetime in the vendor's own SDK. */
const tokenMs = 210_000;

/** The key itself, or a token signed with it if the channel's `other` is `jwt`: the secret is then never sent. */
const headers = ({ now }: Pick<ProviderCall, 'now'>, { key, other }: ProviderChannel): readonly string[] => {
  const token = other === signed ? zhipuToken({ key, now, validMs: tokenMs }) : null;
  return ['authorization', `Bearer ${token ?? key}`];
};

const bounds: ChatBounds = {
  temperature: [0.01, 0.99],
  topP: [0.01, 0.99],
  seed: null,
  penalties: null,
  parallelTools: null,
  stopMax: 1,
  toolChoices: [],
  format: 'json',
};

const thinks = /^glm-(?:4\.[5-9]|[5-9])/;

/** The user has another member name, and must have 6 to 128 characters. */
const rewrite = (body: Json): Json => {
  const { user, ...rest } = body;
  if (user === undefined) return body;
  return typeof user === 'string' && user.length >= 6 && user.length <= 128 ? { ...rest, user_id: user } : rest;
};

/** Zhipu's API v4. Source: docs.bigmodel.cn. */
export const zhipu: Provider = openAiCompatible({
  path: pathBelow('/api/paas/v4'),
  models: { path: modelsBelow('/api/paas/v4'), headers },
  headers,
  requestsStreamUsage: () => false,
  limitMember: 'max_tokens',
  bounds: () => bounds,
  reasoning: (requested, model) =>
    thinks.test(model) ? { thinking: { type: wantsReasoning(requested) ? 'enabled' : 'disabled' } } : {},
  rewrite,
  oneAnswer: () => true,
  native: (body) => withLimitIn('max_tokens', omit(withoutOpenAiOnly(rewrite(body)), ['n'])),
  replaysReasoningOfCalls: true,
  failure: failureOfError(codes),
  failureIn: networkFailure,
});
