import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circumstances, keepResult } from '../../bench/circumstances.ts';

/** Adds to the stored results of the other pages, so that a run over some pages can be repeated alone. */
export const keepPages = (name: string, seen: Readonly<Record<string, unknown>>): void => {
  const file = join(import.meta.dirname, '..', '..', 'bench', 'results', `${name}.json`);
  const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const pages = typeof before === 'object' && before !== null && 'pages' in before ? before.pages : {};
  keepResult(name, { ...circumstances(), pages: { ...(typeof pages === 'object' ? pages : {}), ...seen } });
};
