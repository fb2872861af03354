import { codeAt, isObject, type Json, objectAt, textAt } from '../../conversation/json.ts';
import { failureByCode, type FailureCodes } from '../failure-by-code.ts';
import type { RelayFailure } from '../provider.ts';

const codes: FailureCodes = new Map([
  ['AuthFailure', [401, 'invalid_api_key']],
  ['UnauthorizedOperation', [401, 'invalid_api_key']],
  ['FailedOperation.FreeResourcePackExhausted', [402]],
  ['FailedOperation.ResourcePackExhausted', [402]],
  ['FailedOperation.ServiceStop', [402]],
  ['FailedOperation.ServiceStopArrears', [402]],
  ['ResourceUnavailable', [402]],
  ['ResourceInsufficient', [402]],
  ['LimitExceeded', [429, 'rate_limit_exceeded']],
  ['RequestLimitExceeded', [429, 'rate_limit_exceeded']],
  ['FailedOperation.EngineServerLimitExceeded', [429, 'rate_limit_exceeded']],
  ['FailedOperation.EngineRequestTimeout', [504, 'upstream_timeout']],
  ['FailedOperation.EngineServerError', [500]],
  ['InvalidParameter', [400]],
  ['InvalidParameterValue', [400]],
  ['InvalidParameterValue.Model', [404, 'model_not_found']],
  ['OperationDenied.TextIllegalDetected', [400, 'content_filter']],
  ['OperationDenied.ImageIllegalDetected', [400, 'content_filter']],
  ['UnsupportedOperation', [404, 'upstream_retired']],
  ['ResourceNotFound', [404, 'upstream_retired']],
  ['InternalError', [500]],
]);

/** The failure that a body with status 200, or an event of a stream, reports; null: none. */
export const tencentFailure = (body: Json): RelayFailure | null => {
  const error = objectAt(body, 'Response')['Error'];
  if (isObject(error))
    return failureByCode(codes, { code: textAt(error, 'Code'), message: textAt(error, 'Message'), status: 502 });
  const reported = body['ErrorMsg'];
  if (!isObject(reported) || textAt(reported, 'Msg') === '') return null;
  return failureByCode(codes, { code: codeAt(reported, 'Code'), message: textAt(reported, 'Msg'), status: 502 });
};
