import { isObject, type Json, parseJson } from '../conversation/json.ts';
import { maskKeys } from './mask-keys.ts';
import type { ErrorObject, Refusal, RelayFailure } from './provider.ts';
import { accountRefusal } from './refused-account.ts';

const messageMax = 500;
const nameMax = 128;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const at = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** FastAPI servers return a list of validation errors. */
const detailOf = (detail: unknown): string | null => {
  if (!Array.isArray(detail)) return textOf(detail);
  const texts = detail.map((item) => textOf(at(item, 'msg'))).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join('; ');
};

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** The first error message found where vendors put theirs (provider notes 2.4). */
const messageOf = (body: Json): string | null =>
  textOf(at(body['error'], 'message')) ??
  textOf(body['error']) ??
  textOf(body['message']) ??
  textOf(body['msg']) ??
  textOf(body['err']) ??
  textOf(body['error_msg']) ??
  detailOf(body['detail']) ??
  detailOf(at(body['message'], 'detail')) ??
  textOf(at(body['header'], 'message')) ??
  textOf(at(body['base_resp'], 'status_msg')) ??
  textOf(at(at(body['Response'], 'Error'), 'Message')) ??
  textOf(at(firstOf(body['errors']), 'message'));

const nameOf = (value: unknown): string | null => {
  const name = textOf(value);
  return name === null ? null : maskKeys(name.slice(0, nameMax));
};

const codeOf = (value: unknown): string | number | null =>
  Number.isSafeInteger(value) ? Number(value) : nameOf(value);

/** The object with the error's names: in a member of its own, first of a list (Cloudflare), or the body itself. */
const errorIn = (body: Json): Json => {
  const listed = firstOf(body['errors']);
  return [body['error'], listed].find(isObject) ?? body;
};

/** A text that is no JSON is the message, unless it is a page; SiliconFlow writes the message as a JSON string. */
const plainOf = (parsed: unknown, text: string): string | null =>
  textOf(parsed === undefined && !text.trimStart().startsWith('<') ? text.trim() : parsed);

/** An upstream's error body as OpenAI's error object; missing members are null. */
const readError = (status: number, text: string) => {
  const parsed = parseJson(text);
  // Google lists the error of a request in OpenAI's format.
  const body = Array.isArray(parsed) ? firstOf(parsed) : parsed;
  const error = isObject(body) ? errorIn(body) : {};
  const message = (isObject(body) ? messageOf(body) : plainOf(parsed, text)) ?? `bad response status code ${status}`;
  return {
    message: maskKeys(message.slice(0, messageMax)),
    type: nameOf(error['type']),
    param: nameOf(error['param']),
    code: codeOf(error['code']),
  };
};

type ReadError = ReturnType<typeof readError>;

const failure = (status: number, error: ErrorObject, retryable: boolean): RelayFailure => ({
  status,
  error,
  retryable,
});

const outOfMoney = (status: number, { type, code }: ReadError): boolean =>
  status === 402 || type === 'insufficient_quota' || code === 'insufficient_quota';

/** Failures that the same request would cause on every channel. */
const sameEverywhere = new Set([400, 413, 422]);

const serverStatus = (status: number): number => (status === 503 || status === 529 ? 503 : status === 504 ? 504 : 502);

const judge = (status: number, error: ReadError): RelayFailure => {
  if (outOfMoney(status, error)) {
    return failure(429, { ...error, type: 'insufficient_quota', code: 'insufficient_quota' }, true);
  }
  if (status === 401 || status === 403) {
    // A 403 may concern a model or a region: without a code of its own it must not look like a wrong key.
    const code = error.code ?? (status === 401 ? 'invalid_api_key' : 'permission_denied');
    return failure(status, { ...error, type: 'upstream_authentication_error', code }, true);
  }
  if (status === 429) {
    return failure(
      429,
      { ...error, type: error.type ?? 'rate_limit_error', code: error.code ?? 'rate_limit_exceeded' },
      true,
    );
  }
  if (status >= 400 && status < 500) {
    const named = { ...error, type: error.type ?? 'invalid_request_error' };
    return failure(status, named, !sameEverywhere.has(status));
  }
  return failure(
    serverStatus(status),
    { ...error, type: error.type ?? 'server_error', code: error.code ?? 'upstream_error' },
    true,
  );
};

/**
 * Classifies a failure status and its body by the table of provider notes 16.
 * @param words of the message, where the caller concluded the status from them
 */
export const readFailure = (status: number, text: string, words: string | null = null): RelayFailure => {
  const error = readError(status, text);
  const refused = accountRefusal({ status, ...error });
  if (refused === null) return judge(status, error);
  const refusingWords = words ?? refused.words;
  const keyed = status === 403 ? { ...error, code: error.code ?? 'invalid_api_key' } : error;
  // Some vendors refuse a key as they refuse a bad request (xAI, Google): another channel's key may be right.
  const judged = sameEverywhere.has(status) ? judge(401, { ...error, code: 'invalid_api_key' }) : judge(status, keyed);
  return { ...judged, refusesAccount: true, ...(refusingWords !== null && { refusingWords }) };
};

/** A success status whose body is no valid answer. */
export const badBody = (message: string): RelayFailure =>
  failure(502, { message, type: 'server_error', param: null, code: 'bad_response_body' }, true);

/** A request that this provider cannot serve: channels of another type may. */
export const refusal = (message: string, param: string | null = null): Refusal => ({
  kind: 'refusal',
  failure: failure(400, { message, type: 'invalid_request_error', param, code: 'unsupported_value' }, true),
});

/** Statuses for error objects that arrive with a success status, by their code or type. */
const namedStatus = new Map<string, number>([
  ['invalid_request_error', 400],
  ['invalid_api_key', 401],
  ['authentication_error', 401],
  ['insufficient_quota', 402],
  ['permission_error', 403],
  ['model_not_found', 404],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
]);

const statusNamed = (value: unknown): number | undefined => {
  const number = typeof value === 'number' ? value : /^\d{3}$/.test(String(value)) ? Number(value) : undefined;
  return number !== undefined && number >= 400 && number < 600 ? number : namedStatus.get(String(value));
};

/** The failure in the `error` member of a body with a success status; null: there is none. */
export const reportedFailure = (body: Json): RelayFailure | null => {
  const error = body['error'];
  if (error === undefined || error === null || error === '' || (isObject(error) && Object.keys(error).length === 0))
    return null;
  const named = ['code', 'status_code', 'type'].map((name) => statusNamed(at(error, name)));
  const status = named.find((one) => one !== undefined) ?? 502;
  return readFailure(status, JSON.stringify(body));
};
