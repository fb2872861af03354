import type { BaseUrl } from './provider.ts';

const version = /\/v\d+(?:(?:alpha|beta)\d*)?$/;

/** Parses a base URL. Null: it is no http(s) or ws(s) URL, or contains credentials, a query or a fragment. */
export const parseBaseUrl = (text: string): BaseUrl | null => {
  // A vendor that speaks over WebSockets gives its address as `wss:`; the translation knows where to use one.
  const url = URL.parse(text.trim().replace(/^ws(?=s?:\/\/)/i, 'http'));
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  const path = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, path, versioned: version.test(path) };
};

/** `base` + `prefix` + `rest`, without the prefix where the base ends with a version of its own. */
export const joinPath = (base: BaseUrl, prefix: string, rest: string): string =>
  (base.versioned ? base.path : base.path + prefix) + rest;
