import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@weir/contract/endpoint';
import * as v from 'valibot';
import type { Reply } from '../app/app.ts';
import { isJson } from '../parsing/json.ts';

const contractDir = join(import.meta.dirname, '..', '..', '..', 'contract', 'src');

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

/** Every endpoint that any file of the contract exports, by its exported name. */
export const findEndpoints = async (): Promise<ReadonlyMap<string, Endpoint>> => {
  const found = new Map<string, Endpoint>();
  for (const file of readdirSync(contractDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^[\w/-]+\.ts$/.test(name),
  )) {
    const exported: unknown = await import(join(contractDir, file));
    for (const [name, value] of Object.entries(isJson(exported) ? exported : {}))
      if (isEndpoint(value)) found.set(name, value);
  }
  return found;
};

const envelope = v.looseObject({ success: v.boolean(), message: v.string(), data: v.optional(v.unknown()) });

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether `value` fits the schema and has no undeclared members, which could be secrets. */
const fits = (schema: v.GenericSchema, value: unknown): boolean => {
  const result = v.safeParse(schema, value);
  return result.success && isSame(sorted(result.output), sorted(value));
};

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};

/** What is wrong with an answer of an endpoint by its own declaration; undefined: nothing. */
export const findFault = (endpoint: Endpoint, reply: Reply): string | undefined => {
  const { status, headers, text } = reply;
  if (status >= 500) return `status ${status}`;
  if (status === 429) return text === '' ? undefined : 'a refusal for too many calls has no body';
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  if (endpoint.files?.includes(mediaType) === true) return undefined;
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return `type ${headers.get('content-type')}`;
  if (/\bat \S+:\d+|node_modules|SQLITE|syntax error at or near/.test(text)) return 'tells of the inside';
  const { json } = reply;
  if (endpoint.form === 'bare' && endpoint.data !== undefined && !('success' in json)) {
    return fits(endpoint.data, json) ? undefined : 'is not what was declared';
  }
  if (!v.is(envelope, json)) return 'has no envelope';
  const { success, message, data, ...extra } = json;
  if (success === false && message === '') return 'says nothing of why it was refused';
  if (success === false && data !== undefined) return 'carries data with a refusal';
  if (success === true && endpoint.data !== undefined && !fits(endpoint.data, data))
    return 'data is not what was declared';
  if (success === true && endpoint.data === undefined && data !== undefined) return 'carries undeclared data';
  if (Object.keys(extra).length === 0) return undefined;
  return endpoint.extra !== undefined && fits(endpoint.extra, extra) ? undefined : 'has undeclared members';
};

/** The path of an endpoint with an id for each parameter. */
export const pathOf = (endpoint: Endpoint, id: string): string =>
  endpoint.path.replace(/:\w+/g, encodeURIComponent(id));
