import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;

/**
 * Refuses a call with effects that another site made in the name of a signed-in browser. Browsers say where a request
 * comes from; older ones by `Origin` or `Referer`, which must name this host (behind a trusted proxy: the host the
 * proxy was asked for) or the configured server address. Programs say nothing of the kind and pass, but a GET with a
 * cookie and none of the three is refused: a link in a mail can make a browser send exactly that.
 */
export const refuseCrossSite = (request: FastifyRequest, serverAddress: string): void => {
  const { cookie, authorization, origin, referer } = request.headers;
  if (authorization !== undefined && cookie === undefined) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' && request.headers['sec-fetch-mode'] !== 'navigate') return;
    throw new AppError('cross_site');
  }
  const source = origin ?? referer;
  if (source === undefined) {
    if (request.method === 'GET' && cookie !== undefined) throw new AppError('cross_site');
    return;
  }
  const from = hostOf(source);
  if (from === undefined || (from !== request.host && from !== hostOf(serverAddress))) throw new AppError('cross_site');
};
