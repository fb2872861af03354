import type { BodyInput, DataOf, Endpoint, ExtraOf, ParamsInput, QueryInput } from '@weir/contract/endpoint';
import { totalHeader } from '@weir/contract/wire';
import { m } from '../../paraglide/messages.js';
import { asText } from '../format/as-text.ts';
import { CallError } from './call-error.ts';
import { isRecord } from '../is-record.ts';
import { language } from '../browser/locale.ts';
import { isOffline } from './offline.ts';
import { goToLogin } from './paths.ts';
import { forgetUser } from './session.ts';

type Texts<T> = { readonly [Key in keyof T]?: string | number };

export interface CallInput<E extends Endpoint> {
  readonly params?: Texts<ParamsInput<E>>;
  readonly query?: Texts<QueryInput<E>>;
  readonly body?: BodyInput<E>;
  readonly signal?: AbortSignal;
  /** Called with the length of the whole list; null: the server does not tell it. */
  readonly onTotal?: OnTotal | undefined;
}

export type OnTotal = (total: number | null) => void;

/** A whole answer: some calls return their result beside `data` (wire contract 1.1). */
export type Answer<E extends Endpoint> = { readonly message: string; readonly data: DataOf<E> } & ExtraOf<E>;

const timeoutMs = 60_000;
/** Address of the gateway; empty: the console's origin. */
export const serverAddress = asText(import.meta.env['VITE_SERVER']) ?? '';

declare global {
  interface Window {
    /** Requests that the head script sent before any module had arrived, by address; each is used once. */
    weirEarly?: Record<string, Promise<Response>>;
    /** The time that one of them counts back from, in unix seconds. */
    weirMoment?: number;
  }
}

export const addressOf = <E extends Endpoint>(
  endpoint: E,
  { params, query }: Pick<CallInput<E>, 'params' | 'query'>,
): string => {
  const values: Readonly<Record<string, unknown>> = { ...params };
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query })) {
    const text = asText(value);
    if (text !== undefined) search.set(name, text);
  }
  return `${serverAddress}${path}${search.size > 0 ? `?${search}` : ''}`;
};

/** The time that a request of the head script counts back from, once: only the same range matches its address. */
export const takeEarlyMoment = (): number | undefined => {
  const moment = window.weirMoment;
  delete window.weirMoment;
  return moment;
};

const takeEarly = (address: string): Promise<Response> | undefined => {
  const early = window.weirEarly?.[address];
  if (early !== undefined) delete window.weirEarly?.[address];
  return early;
};

const send = async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> => {
  const address = addressOf(endpoint, input);
  const early = endpoint.method === 'GET' ? takeEarly(address) : undefined;
  if (early !== undefined) return early;
  const timeout = AbortSignal.timeout(timeoutMs);
  const headers: Record<string, string> = { 'Accept-Language': language() };
  if (input.body !== undefined) headers['Content-Type'] = 'application/json';
  return fetch(address, {
    method: endpoint.method,
    headers,
    body: input.body === undefined ? null : JSON.stringify(input.body),
    signal: input.signal === undefined ? timeout : AbortSignal.any([input.signal, timeout]),
  });
};

const readBody = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
};

const messageOf = (body: unknown): string =>
  isRecord(body) && typeof body['message'] === 'string' ? body['message'] : '';

const checked = async (endpoint: Endpoint, response: Response): Promise<Record<string, unknown>> => {
  const body = await readBody(response);
  if (response.status === 401 && endpoint.access !== 'public') {
    forgetUser();
    goToLogin('?expired=true');
  }
  if (!response.ok) throw new CallError('http', messageOf(body) || `HTTP ${response.status}`, response.status);
  if (!isRecord(body)) throw new CallError('http', `HTTP ${response.status}: no JSON`, response.status);
  if (endpoint.form === 'bare') return { message: '', data: body };
  if (body['success'] !== true) throw new CallError('refused', messageOf(body));
  return body;
};

const totalOf = ({ headers }: Response): number | null => {
  const text = headers.get(totalHeader) ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
};

/** Makes a call of the contract and returns the whole answer; throws `CallError`. */
export const callWhole = async <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<Answer<E>> => {
  // Otherwise the browser would only report that fetching failed.
  if (endpoint.method !== 'GET' && isOffline()) throw new CallError('unreachable', m.offline_refused());
  let response: Response;
  try {
    response = await send(endpoint, input);
  } catch (error) {
    input.signal?.throwIfAborted();
    throw new CallError('unreachable', error instanceof Error ? error.message : String(error));
  }
  // The only cast of an answer to its type, without a check: the server checks answers against the same contract.
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  const answer = (await checked(endpoint, response)) as Answer<E>;
  input.onTotal?.(totalOf(response));
  return answer;
};

/** Makes a call of the contract and returns its `data`; throws `CallError`. */
export const call = async <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<DataOf<E>> =>
  (await callWhole(endpoint, input)).data;
