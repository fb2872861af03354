import { isObject, numberAt, parseJson, textAt } from '../conversation/json.ts';
import { readFailure } from './failure.ts';
import type { CredentialExchange } from './provider.ts';

/** Reads the answer of an OAuth 2.0 token endpoint (RFC 6749, 5); a token is renewed so many milliseconds early. */
export const readAccessToken =
  (renewEarlyMs: number): CredentialExchange['read'] =>
  (status, body, now) => {
    const parsed = parseJson(body.toString());
    const value = isObject(parsed) ? textAt(parsed, 'access_token') : '';
    const seconds = isObject(parsed) ? numberAt(parsed, 'expires_in') : null;
    if (value !== '') return { value, usableUntil: now + (seconds ?? 0) * 1000 - renewEarlyMs };
    const reported = isObject(parsed) ? textAt(parsed, 'error_description') || textAt(parsed, 'error') : '';
    const message = reported === '' ? `no access token received (status ${status})` : reported;
    const error = JSON.stringify({ error: { message, code: 'invalid_api_key' } });
    return { kind: 'refusal', failure: readFailure(reported === '' && status >= 500 ? status : 401, error) };
  };
