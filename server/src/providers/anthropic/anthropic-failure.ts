import { isObject, type Json, objectAt, parseJson, textAt } from '../../conversation/json.ts';
import { readFailure } from '../failure.ts';
import type { RelayFailure } from '../provider.ts';

/** Statuses for errors inside a stream, by their type (provider notes 5). */
const statuses = new Map<string, number>([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** An account without credit gets status 400 with a message that begins so; later text may quote the request. */
const outOfMoney = 'your credit balance is too low';

/** `prompt is too long: 210000 tokens > 200000 maximum` */
const tooLong = /^(?:prompt is too long|input length and `max_tokens` exceed)/i;

const read = (status: number, body: Json): RelayFailure => {
  const error = objectAt(body, 'error');
  const type = textAt(error, 'type');
  const message = textAt(error, 'message');
  const reported = {
    message: message === '' ? undefined : message,
    type: status >= 500 || type === '' ? undefined : type,
    code: tooLong.test(message) ? 'context_length_exceeded' : type === '' ? undefined : type,
  };
  const text = JSON.stringify({ error: reported });
  const isOutOfMoney = status === 400 && message.toLowerCase().startsWith(outOfMoney);
  return isOutOfMoney ? readFailure(402, text, outOfMoney) : readFailure(status, text);
};

/** Reads a failure status and its body. */
export const anthropicFailure = (status: number, body: Buffer): RelayFailure => {
  const text = body.toString('utf8', 0, 16_384);
  const parsed = parseJson(text);
  return isObject(parsed) && isObject(parsed['error']) ? read(status, parsed) : readFailure(status, text);
};

/** The failure that an event of a stream, or a body of a success status, reports; null: none. */
export const reportedAnthropicFailure = (body: Json): RelayFailure | null => {
  if (body['type'] !== 'error') return null;
  return read(statuses.get(textAt(objectAt(body, 'error'), 'type')) ?? 500, body);
};
