import { codeAt, type Json, textAt } from '../../conversation/json.ts';
import { codesThatMean, failureByCode, type FailureCodes } from '../failure-by-code.ts';
import type { RelayFailure } from '../provider.ts';

const codes: FailureCodes = new Map([
  ...codesThatMean([1, 336_000], 500),
  ...codesThatMean([2], 503),
  ...codesThatMean([3, 336_005], 404, 'model_not_found'),
  ...codesThatMean([4, 18, 336_100, 336_501, 336_502], 429, 'rate_limit_exceeded'),
  ...codesThatMean([17, 19], 402),
  ...codesThatMean([6, 336_004], 403, 'permission_denied'),
  ...codesThatMean([13, 14, 15, 100, 110, 111], 401, 'invalid_api_key'),
  ...codesThatMean([336_001, 336_002, 336_003, 336_006], 400),
  ...codesThatMean([336_007, 336_103], 400, 'context_length_exceeded'),
  ...codesThatMean(
    Array.from({ length: 14 }, (_, n) => 336_105 + n),
    400,
  ),
]);

/** The access token has expired or is invalid: a new one may help. */
const stale = new Set(['110', '111']);

/** The failure that a body with status 200, or an event of a stream, reports; null: none. */
export const baiduFailure = (body: Json): RelayFailure | null => {
  const code = codeAt(body, 'error_code');
  if (code === '' || code === '0') return null;
  const failure = failureByCode(codes, { code, message: textAt(body, 'error_msg'), status: 502 });
  return stale.has(code) ? { ...failure, staleCredential: true } : failure;
};
