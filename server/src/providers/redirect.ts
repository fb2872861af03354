import type { UpstreamRequest } from './provider.ts';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Where an answer redirects its request to; null: it is no redirect, or names no place. */
export const redirectOf = (
  request: UpstreamRequest,
  status: number,
  headers: { readonly location?: string | undefined },
): URL | null => {
  const { location } = headers;
  if (!redirects.has(status) || location === undefined) return null;
  const url = URL.parse(location, request.origin + request.path);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
};

/**
 * The request at the place of a redirect; null: it is not followed. Only the same host gets the key and the body, and
 * never over a plain connection what went over TLS before.
 */
export const redirected = (request: UpstreamRequest, url: URL): UpstreamRequest | null => {
  const from = new URL(request.origin);
  const isUpgrade = from.protocol === 'http:' && url.protocol === 'https:';
  const isSame = from.protocol === url.protocol && from.port === url.port;
  if (from.hostname !== url.hostname || (!isSame && !isUpgrade)) return null;
  return { ...request, origin: url.origin, path: url.pathname + url.search };
};
