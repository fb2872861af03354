import { codeAt, isObject, type Json, textAt } from '../../conversation/json.ts';
import { codesThatMean, failureByCode, type FailureCodes } from '../failure-by-code.ts';
import type { RelayFailure } from '../provider.ts';

const codes: FailureCodes = new Map([
  ...codesThatMean([10_000, 10_001, 10_002], 502),
  ...codesThatMean([10_003, 10_004, 10_005, 10_163], 400),
  ...codesThatMean([10_006, 10_007, 10_110, 11_202, 11_203], 429, 'rate_limit_exceeded'),
  ...codesThatMean([10_008, 10_009, 10_010, 10_011, 10_012, 10_017, 10_222, 10_223], 503),
  ...codesThatMean([10_013, 10_014, 10_019], 400, 'content_filter'),
  ...codesThatMean([10_015], 403, 'permission_denied'),
  ...codesThatMean([10_016, 11_200, 11_201], 402),
  ...codesThatMean([10_907], 400, 'context_length_exceeded'),
]);

/** The failure that a frame, or a body of the HTTP API, reports by its code; null: none. */
export const sparkFailure = (body: Json, status = 502): RelayFailure | null => {
  const { header, error } = body;
  const holder = [header, error].find(isObject) ?? body;
  const code = codeAt(holder, 'code');
  // In OpenAI's error object the code may be one of OpenAI's.
  if (code === '' || code === '0' || (holder === error && !codes.has(code))) return null;
  return failureByCode(codes, { code, message: textAt(holder, 'message'), status });
};
