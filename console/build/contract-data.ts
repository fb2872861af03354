import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The members of an endpoint that `call()` reads. The server checks schemas; in the browser they are only types. */
const endpointMembers = ['method', 'path', 'access', 'form'];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isSchema = (value: unknown): boolean => isRecord(value) && 'kind' in value && '~run' in value;

const toData = (value: unknown): unknown => {
  if (!isRecord(value) || !('method' in value && 'path' in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => endpointMembers.includes(member)));
};

/** Modules with schemas, or with endpoints, which have them. */
const usesSchemas = /from 'valibot'|import \{ endpoint \} from/;

/** The source of a module that exports the plain data of a contract module: no schemas, no functions. */
export const dataSource = (exports: Record<string, unknown>): string =>
  Object.entries(exports)
    .filter(([, value]) => typeof value !== 'function' && !isSchema(value))
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(toData(value))};`)
    .join('\n');

/**
 * Replaces contract modules that have schemas by their data, so that no page loads the library.
 * Importing a function or a schema from one of them fails the build.
 */
export const contractData = (): Plugin => ({
  name: 'weir:contract-data',
  enforce: 'pre',
  async load(id) {
    if (!id.includes('/contract/src/')) return null;
    const source = await readFile(id, 'utf8');
    if (!usesSchemas.test(source)) return null;
    const loaded: unknown = await import(pathToFileURL(id).href);
    return isRecord(loaded) ? dataSource(loaded) : null;
  },
});
