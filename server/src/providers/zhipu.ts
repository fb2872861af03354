import { isObject, objectAt, parseJson, textAt } from '../conversation/json.ts';
import { joinPath } from './base-url.ts';
import { failureByCode, type FailureCodes } from './failure-by-code.ts';
import { readFailure } from './failure.ts';
import { openAiCompatible } from './openai-compatible.ts';
import type { Provider } from './provider.ts';

const all = (codes: readonly number[], ...judged: readonly [number, string?]): [string, readonly [number, string?]][] =>
  codes.map((code) => [String(code), judged]);

const codes: FailureCodes = new Map([
  ...all([500], 500),
  ...all([1000, 1001, 1002, 1003, 1004], 401, 'invalid_api_key'),
  ...all([1110, 1111, 1120], 403, 'permission_denied'),
  ...all([1112, 1121], 401, 'account_deactivated'),
  ...all([1113, 1309], 402),
  ...all([1200, 1210, 1212, 1213, 1214, 1215], 400),
  ...all([1211, 1222], 404, 'model_not_found'),
  ...all([1220, 1311], 403, 'permission_denied'),
  ...all([1221], 404, 'upstream_retired'),
  ...all([1230, 1234], 502),
  ...all([1231], 400),
  ...all([1261], 400, 'context_length_exceeded'),
  ...all([1300, 1301], 400, 'content_filter'),
  ...all([1302, 1303, 1304, 1305, 1308, 1310, 1312, 1313], 429, 'rate_limit_exceeded'),
]);

/** The vendor's codes are texts of digits, and say more than its statuses. */
const failure = (status: number, text: string) => {
  const parsed = parseJson(text);
  const error = isObject(parsed) ? objectAt(parsed, 'error') : {};
  const code = textAt(error, 'code');
  return code === ''
    ? readFailure(status, text)
    : failureByCode(codes, { code, message: textAt(error, 'message'), status });
};

/** Zhipu's API v4, which takes the key itself. Source: docs.bigmodel.cn. */
export const zhipu: Provider = openAiCompatible({
  path: ({ path, query }, { base }) =>
    base === null
      ? { kind: 'fault', message: 'the channel has no valid base URL' }
      : joinPath(base, '/api/paas/v4', path.slice('/v1'.length)) + query,
  asksStreamUsage: () => false,
  limitMember: 'max_tokens',
  failure,
});
