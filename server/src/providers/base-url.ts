import type { BaseUrl } from './provider.ts';

/** Takes an address apart. Null: it is no http(s) address, or carries credentials. */
export const parseBaseUrl = (text: string): BaseUrl | null => {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
};

const version = /\/v\d+(?:(?:alpha|beta)\d*)?$/;

/** Whether a base path already ends with a version, as pasted addresses often do (`…/v1`, `…/api/paas/v4`). */
export const endsWithVersion = (path: string): boolean => version.test(path);

/** `base` + `prefix` + `rest`, without the prefix where the base brings its own version. */
export const joinPath = (base: BaseUrl, prefix: string, rest: string): string =>
  (endsWithVersion(base.path) ? base.path : base.path + prefix) + rest;
