import { parseSearch, stringifySearch } from '../lib/lists/search-params.ts';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';

/** The regular expression of one or several paths; one path names its parameters. A trailing slash is optional. */
export const patternOf = (paths: readonly string[]): RegExp => {
  const id = paths.length > 1 ? '\\d+' : '(?<$1>\\d+)';
  return new RegExp(`^(?:${paths.map((path) => path.replace(/:(\w+)/g, id).replace(/\/$/, '')).join('|')})/?$`);
};

const patterns = screens.map((screen) => ({ screen, pattern: patternOf([screen.path]) }));

/** The screen of an address; undefined: none. */
export const screenAt = (path: string): Screen | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.screen;

/** Removes the search parameters that the screen of a path does not read. */
export const cleanSearch = (path: string, search: string): string =>
  stringifySearch(screenAt(path)?.search?.(parseSearch(search)) ?? {});
