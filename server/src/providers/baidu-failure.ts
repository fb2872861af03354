import { codeAt, type Json, textAt } from '../conversation/json.ts';
import { failureByCode, type FailureCodes } from './failure-by-code.ts';
import type { RelayFailure } from './provider.ts';

const badParameters = Array.from({ length: 14 }, (_, n): [string, readonly [number]] => [String(336_105 + n), [400]]);

const codes: FailureCodes = new Map<string, readonly [number, string?]>([
  ['1', [500]],
  ['2', [503]],
  ['336000', [500]],
  ['336100', [429, 'rate_limit_exceeded']],
  ['3', [404, 'model_not_found']],
  ['336005', [404, 'model_not_found']],
  ['4', [429, 'rate_limit_exceeded']],
  ['18', [429, 'rate_limit_exceeded']],
  ['336501', [429, 'rate_limit_exceeded']],
  ['336502', [429, 'rate_limit_exceeded']],
  ['17', [402]],
  ['19', [402]],
  ['6', [403, 'permission_denied']],
  ['336004', [403, 'permission_denied']],
  ['13', [401, 'invalid_api_key']],
  ['14', [401, 'invalid_api_key']],
  ['15', [401, 'invalid_api_key']],
  ['100', [401, 'invalid_api_key']],
  ['110', [401, 'invalid_api_key']],
  ['111', [401, 'invalid_api_key']],
  ['336001', [400]],
  ['336002', [400]],
  ['336003', [400]],
  ['336006', [400]],
  ['336007', [400, 'context_length_exceeded']],
  ['336103', [400, 'context_length_exceeded']],
  ...badParameters,
]);

/** The access token has run out, or is none: a new one may be taken. */
const stale = new Set(['110', '111']);

/** The failure that a body with status 200, or an event of a stream, reports; null: none. */
export const baiduFailure = (body: Json): RelayFailure | null => {
  const code = codeAt(body, 'error_code');
  if (code === '' || code === '0') return null;
  const failure = failureByCode(codes, { code, message: textAt(body, 'error_msg'), status: 502 });
  return stale.has(code) ? { ...failure, staleCredential: true } : failure;
};
