import { isObject, type Json, objectAt, objectsAt, parseJson, textAt } from '../../conversation/json.ts';
import { readFailure } from '../failure.ts';
import type { RelayFailure } from '../provider.ts';

/** HTTP statuses of Google's error codes, for errors inside a stream. */
const statuses = new Map<string, number>([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['CANCELLED', 499],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** A wrong key is reported as an invalid argument, with a reason in later versions of the API. */
const isWrongKey = (error: Json): boolean =>
  objectsAt(error, 'details').some((detail) => detail['reason'] === 'API_KEY_INVALID');

const wrongKeyWords = (error: Json): string | null =>
  /^API key (?:not valid|expired)/i.exec(textAt(error, 'message'))?.[0] ?? null;

/** OpenAI's codes for Google's statuses; others keep their own name. */
const codes = new Map<string, string>([
  ['RESOURCE_EXHAUSTED', 'rate_limit_exceeded'],
  ['NOT_FOUND', 'model_not_found'],
  ['UNAVAILABLE', 'overloaded'],
]);

/** Seconds, as in `{"@type": "…RetryInfo", "retryDelay": "34.4s"}`. */
const retryDelayOf = (error: Json): { readonly retryAfter?: number } => {
  const delays = objectsAt(error, 'details').map((detail) =>
    /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(textAt(detail, 'retryDelay')),
  );
  const seconds = Number(delays.find((delay) => delay !== null)?.[1] ?? 0);
  return seconds > 0 ? { retryAfter: seconds } : {};
};

const tooLong = /input token count .* exceeds the maximum/i;

const read = (status: number, error: Json): RelayFailure => {
  const name = textAt(error, 'status');
  const message = textAt(error, 'message');
  const code = tooLong.test(message) ? 'context_length_exceeded' : (codes.get(name) ?? name.toLowerCase());
  const reported = { message: message === '' ? undefined : message, ...(code !== '' && { code }) };
  const isWrong = isWrongKey(error);
  const words = isWrong ? null : wrongKeyWords(error);
  if (isWrong || words !== null) {
    return readFailure(401, JSON.stringify({ error: { ...reported, code: 'invalid_api_key' } }), words);
  }
  return { ...readFailure(status, JSON.stringify({ error: reported })), ...retryDelayOf(error) };
};

/** The error of a body: an object, or the first of a list if the stream was requested as one. */
const errorIn = (body: unknown): Json | null => {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(first) && isObject(first['error']) ? first['error'] : null;
};

/** Reads a failure status and its body. */
export const geminiFailure = (status: number, body: Buffer): RelayFailure => {
  const text = body.toString('utf8', 0, 16_384);
  const error = errorIn(parseJson(text));
  return error === null ? readFailure(status, text) : read(status, error);
};

const blockedMessage = (feedback: Json): string => {
  const message = textAt(feedback, 'blockReasonMessage');
  return message === '' ? `the prompt was blocked: ${textAt(feedback, 'blockReason')}` : message;
};

/** The failure that a body of a success status, or an event of a stream, reports; null: none. */
export const reportedGeminiFailure = (body: Json): RelayFailure | null => {
  const error = errorIn(body);
  if (error !== null) {
    const { code } = error;
    const status = statuses.get(textAt(error, 'status')) ?? (typeof code === 'number' && code >= 400 ? code : 502);
    return read(status, error);
  }
  const feedback = objectAt(body, 'promptFeedback');
  if (textAt(feedback, 'blockReason') === '' || objectsAt(body, 'candidates').length > 0) return null;
  const blocked = { message: blockedMessage(feedback), type: 'invalid_request_error', code: 'content_filter' };
  return readFailure(400, JSON.stringify({ error: blocked }));
};
