import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

/** A `Host` header in the form in which an address shows it: lower case, without the default port. */
const plainHost = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');

/** A prefetch, a navigation or a HEAD request: not the act of a user who wants the effect. */
const isSpeculative = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' ||
  headers['sec-fetch-mode'] === 'navigate' ||
  [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((value) => String(value).startsWith('prefetch'));

/** Whether the request comes from this site, by the browser's headers; undefined if there are none. */
const comesFromHere = (request: FastifyRequest, serverAddress: string): boolean | undefined => {
  const { host = '', origin, referer, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  const source = origin ?? referer;
  if (source === undefined) return undefined;
  const from = hostOf(source);
  // `request.host` is the forwarded host if the peer is a trusted proxy, else the `Host` header.
  const ours = [plainHost(host), plainHost(request.host), hostOf(serverAddress)];
  return from !== undefined && from !== '' && ours.includes(from);
};

/** No browser can be made to send such a request: programs do. */
const isProgram = ({ headers }: FastifyRequest): boolean =>
  headers.origin === undefined &&
  headers.referer === undefined &&
  !Object.keys(headers).some((name) => name.startsWith('sec-fetch-')) &&
  !/^mozilla\//i.test(headers['user-agent'] ?? '');

/**
 * Refuses a call with effects that another site made in the name of a signed-in browser. Browsers send where a request
 * comes from; older ones by `Origin` or `Referer`, which must name this host, the forwarded host of a trusted proxy, or
 * the configured server address. Programs send none of these headers and pass, but a GET with a cookie, none of the
 * three and the `User-Agent` of a browser is refused: a link in a mail can make a browser send exactly that.
 */
export const refuseCrossSite = (request: FastifyRequest, serverAddress: string): void => {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined && cookie === undefined) return;
  const passes = isProgram(request) || !(request.method === 'GET' && cookie !== undefined);
  const here = comesFromHere(request, serverAddress) ?? passes;
  if (!here || isSpeculative(request)) throw new AppError('cross_site');
};
