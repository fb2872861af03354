import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@weir/contract/endpoint';
import { isJson } from '../parsing/json.ts';

const contractDir = join(import.meta.dirname, '..', '..', '..', 'contract', 'src');

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

const findEndpoints = async (): Promise<ReadonlyMap<string, Endpoint>> => {
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

/** Every endpoint that any file of the contract exports, by its exported name. */
export const endpoints = await findEndpoints();

/** The path of an endpoint with an id for each parameter. */
export const pathOf = (endpoint: Endpoint, id: string): string =>
  endpoint.path.replace(/:\w+/g, encodeURIComponent(id));

const segmentsOf = (path: string): readonly string[] => path.replace(/\?.*$/s, '').replace(/\/$/, '').split('/');

/** The endpoint that the server calls for a method and an address; undefined: none of the contract. */
export const endpointAt = (method: string, address: string): Endpoint | undefined => {
  const given = segmentsOf(address);
  const isMatch = ({ method: declared, path }: Endpoint): boolean => {
    const segments = segmentsOf(path);
    return (
      declared === method &&
      segments.length === given.length &&
      segments.every((segment, index) => segment === given[index] || segment.startsWith(':'))
    );
  };
  const matches = [...endpoints.values()].filter(isMatch);
  // A literal path comes before one with a parameter, as in the server's router.
  return matches.find(({ params }) => params === undefined) ?? matches[0];
};
