import type { BaseUrl } from './provider.ts';

const version = /\/v\d+(?:(?:alpha|beta)\d*)?$/;

/** Takes an address apart. Null: it is no http(s) address, or carries credentials. */
export const parseBaseUrl = (text: string): BaseUrl | null => {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  const path = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, path, versioned: version.test(path) };
};

/** `base` + `prefix` + `rest`, without the prefix where the base brings its own version. */
export const joinPath = (base: BaseUrl, prefix: string, rest: string): string =>
  (base.versioned ? base.path : base.path + prefix) + rest;
