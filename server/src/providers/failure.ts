import { isObject, type Json, parseJson } from '../conversation/json.ts';
import { maskKeys } from './mask-keys.ts';
import type { ErrorObject, Refusal, RelayFailure } from './provider.ts';
import { refusesAccount } from './refused-account.ts';

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
  textOf(at(at(body['Response'], 'Error'), 'Message'));

const nameOf = (value: unknown): string | null => {
  const name = textOf(value);
  return name === null ? null : maskKeys(name.slice(0, nameMax));
};

const codeOf = (value: unknown): string | number | null =>
  Number.isSafeInteger(value) ? Number(value) : nameOf(value);

/** An upstream's error body as OpenAI's error object; missing members are null. */
const readError = (status: number, text: string) => {
  const body = parseJson(text);
  const error = isObject(body) ? (isObject(body['error']) ? body['error'] : body) : {};
  const plain = body === undefined && !text.trimStart().startsWith('<') ? textOf(text.trim()) : null;
  const message = (isObject(body) ? messageOf(body) : null) ?? plain ?? `bad response status code ${status}`;
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
    return failure(
      status,
      { ...error, type: 'upstream_authentication_error', code: error.code ?? 'invalid_api_key' },
      true,
    );
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

/** Classifies a failure status and its body by the table of provider notes 16. */
export const readFailure = (status: number, text: string): RelayFailure => {
  const error = readError(status, text);
  const judged = judge(status, error);
  return refusesAccount({ status, ...error }) ? { ...judged, refusesAccount: true } : judged;
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
