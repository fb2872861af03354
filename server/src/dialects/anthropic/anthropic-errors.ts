import type { ClientError, ErrorForm } from '../dialect.ts';
import { withRequestId } from '../openai/openai-errors.ts';

/** Anthropic's name for each status (provider notes 16). */
const types = new Map<number, string>([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [409, 'conflict_error'],
  [413, 'request_too_large'],
  [415, 'invalid_request_error'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const typeOf = (status: number): string => types.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');

const body = ({ status, message }: ClientError, requestId: string): string =>
  JSON.stringify({
    type: 'error',
    error: { type: typeOf(status), message: withRequestId(message, requestId) },
    request_id: requestId,
  });

/** Anthropic's error object, in an answer and in a stream. */
export const anthropicErrors: ErrorForm = {
  body,
  event: (error, requestId) => Buffer.from(`event: error\ndata: ${body(error, requestId)}\n\n`),
};
