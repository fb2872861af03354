import { readFailure } from './failure.ts';
import type { RelayFailure } from './provider.ts';

/** FastGPT's own codes for a key that it does not know. */
const unauthorized = new Set([403, 514]);

/** `{code: 400…, statusText, message, data: null}` with a success status. */
export const fastGptFailure = (body: Readonly<Record<string, unknown>>): RelayFailure | null => {
  const { code } = body;
  if (typeof code !== 'number' || code < 400 || Array.isArray(body['choices'])) return null;
  const status = unauthorized.has(code) ? 401 : code < 600 ? code : 502;
  return readFailure(
    status,
    JSON.stringify({ message: body['message'] ?? body['statusText'], code: body['statusText'] }),
  );
};
