import { type Json, textAt } from '../../conversation/json.ts';
import { failureByCode, type FailureCodes } from '../failure-by-code.ts';
import type { RelayFailure } from '../provider.ts';

const codes: FailureCodes = new Map([
  ['InvalidParameter', [400]],
  ['BadRequest', [400]],
  ['InvalidURL', [400]],
  ['invalid_parameter_error', [400]],
  ['DataInspectionFailed', [400, 'content_filter']],
  ['data_inspection_failed', [400, 'content_filter']],
  ['Arrearage', [402]],
  ['InvalidApiKey', [401, 'invalid_api_key']],
  ['invalid_api_key', [401, 'invalid_api_key']],
  ['AccessDenied', [403, 'permission_denied']],
  ['Model.AccessDenied', [403, 'permission_denied']],
  ['WorkSpace.AccessDenied', [403, 'permission_denied']],
  ['ModelNotFound', [404, 'model_not_found']],
  ['model_not_found', [404, 'model_not_found']],
  ['RequestTimeOut', [504, 'upstream_timeout']],
  ['Throttling', [429, 'rate_limit_exceeded']],
  ['LimitRequests', [429, 'rate_limit_exceeded']],
  ['Throttling.AllocationQuota', [402]],
  ['insufficient_quota', [402]],
  ['InternalError', [500]],
  ['SystemError', [500]],
  ['ModelUnavailable', [503]],
  ['ModelServingError', [503]],
]);

const tooLong = /Range of input length/i;

/** Classifies an error body or event: `{code, message, request_id}`. Null: it reports no error. */
export const aliFailure = (body: Json, status = 502): RelayFailure | null => {
  const code = textAt(body, 'code');
  if (code === '' || code === '200') return null;
  const message = textAt(body, 'message');
  const named = tooLong.test(message) ? new Map([[code, [400, 'context_length_exceeded'] as const]]) : codes;
  return failureByCode(named, { code, message, status });
};
