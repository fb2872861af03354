import { isIP } from 'node:net';
import type { HttpRequest } from './plain/exchange.ts';
import { isWithin, plainAddress, rangesOf } from './ranges.ts';

/**
 * The address of the client: the peer, or behind trusted proxies the right-most forwarded address that is none of them.
 * Nothing that a client writes itself is trusted (reliability notes E.8).
 */
export const createClientAddress = (
  trustedProxies: readonly string[],
): ((request: Pick<HttpRequest, 'headers' | 'socket'>) => string) => {
  const trusted = rangesOf(trustedProxies);
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    if (trustedProxies.length === 0 || !isWithin(trusted, peer)) return peer;
    const header = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(header) ? header.join(',') : (header ?? ''))
      .split(',')
      .map((hop) => plainAddress(hop.trim()));
    let address = peer;
    for (const hop of hops.toReversed()) {
      if (isIP(hop) === 0) break;
      address = hop;
      if (!isWithin(trusted, hop)) break;
    }
    return address;
  };
};
