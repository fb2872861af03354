import type { Endpoint } from '@weir/contract/endpoint';
import * as v from 'valibot';
import { isJson, valueOfJson, type Json } from '../parsing/json.ts';
import { endpointAt } from './endpoints.ts';

/** An answer of the management API, read whole. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const envelope = v.looseObject({ success: v.boolean(), message: v.string(), data: v.optional(v.unknown()) });

/** The path of the first member of `value` that `declared` does not have, or has with another value. */
const differenceAt = (declared: unknown, value: unknown, path: string): string | undefined => {
  const isObject = typeof value === 'object' && value !== null && typeof declared === 'object' && declared !== null;
  if (!isObject || Array.isArray(value) !== Array.isArray(declared)) return declared === value ? undefined : path;
  const known = new Map<string, unknown>(Object.entries(declared));
  for (const [name, member] of Object.entries(value)) {
    const found = known.has(name) ? differenceAt(known.get(name), member, `${path}.${name}`) : `${path}.${name}`;
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Where and why `value` does not fit the schema, or has a member that is not declared and could be a secret. */
const misfit = (schema: v.GenericSchema, value: unknown, name: string): string | undefined => {
  const result = v.safeParse(schema, value);
  if (result.success) {
    const path = differenceAt(result.output, value, name);
    return path === undefined ? undefined : `${path}: not declared`;
  }
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  return `${path === null ? name : `${name}.${path}`}: ${issue.message}`;
};

const envelopeFault = (endpoint: Endpoint, json: Json): string | undefined => {
  if (!v.is(envelope, json)) return 'has no envelope';
  const { success, message, data, ...extra } = json;
  if (!success && message === '') return 'message: a refusal gives no reason';
  if (!success && data !== undefined) return 'data: present in a refusal';
  if (success && endpoint.data === undefined && data !== undefined) return 'data: not declared';
  const dataFault = success && endpoint.data !== undefined ? misfit(endpoint.data, data, 'data') : undefined;
  if (dataFault !== undefined || Object.keys(extra).length === 0) return dataFault;
  return endpoint.extra === undefined
    ? `${Object.keys(extra).join(', ')}: not declared`
    : misfit(endpoint.extra, extra, 'extra');
};

/** Where and why an answer is not what its endpoint declares; undefined: it is. */
const findFault = (endpoint: Endpoint, { status, headers, text }: WholeAnswer): string | undefined => {
  // Where a path parameter holds what the path cannot, the call has no such path.
  if (status === 404 && endpoint.params !== undefined) return undefined;
  // A head that is too large is refused before any path is known.
  if (status === 431) return undefined;
  if (status === 429) return text === '' ? undefined : 'a refusal for too many calls has no body';
  const type = headers.get('content-type') ?? '';
  const [mediaType = ''] = type.split(';');
  if (endpoint.files?.includes(mediaType) === true) return undefined;
  if (type !== 'application/json; charset=utf-8') return `content-type is ${type}`;
  if (/\bat \S+:\d+|node_modules|SQLITE|syntax error at or near/.test(text)) return 'contains internal details';
  const json = valueOfJson(text);
  if (!isJson(json)) return 'is no JSON object';
  const isBare = endpoint.form === 'bare' && endpoint.data !== undefined && !('success' in json);
  return isBare && endpoint.data !== undefined ? misfit(endpoint.data, json, 'answer') : envelopeFault(endpoint, json);
};

/**
 * Throws if the contract has this call and the answer is not what it declares. Every client of the tests calls this with
 * every answer.
 */
export const checkAnswer = (method: string, path: string, answer: WholeAnswer): void => {
  const endpoint = endpointAt(method, path);
  const fault = endpoint === undefined ? undefined : findFault(endpoint, answer);
  if (fault === undefined) return;
  const { status, text } = answer;
  throw new Error(
    `${method} ${path.slice(0, 200)}: the answer does not fit the contract: ${fault}: ${status} ${text.slice(0, 300)}`,
  );
};
