import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from './network.ts';
import { isWithin, plainAddress, rangesOf } from './ranges.ts';

/** Notices calls that have no limits per network because they come from a private address that is no declared proxy. */
export interface UnlimitedPeers {
  /** The latest such address; empty: there was none. */
  latest(): string;
}

const loopback = rangesOf(['127.0.0.0/8', '::1']);

/** A call of this machine itself is none: a proxy on it names its client. */
const isUnlimited = (request: FastifyRequest, declared: boolean): boolean => {
  if (networkOf(request) !== undefined) return false;
  if (request.headers['x-forwarded-for'] !== undefined) return true;
  return !declared && !isWithin(loopback, plainAddress(request.ip));
};

export const watchUnlimitedPeers = (app: FastifyInstance, trustedProxies: readonly string[]): UnlimitedPeers => {
  let latest = '';
  const note = (request: FastifyRequest): void => {
    const isFirst = latest === '';
    latest = plainAddress(request.ip);
    if (isFirst) {
      request.log.warn(
        { peer: latest },
        'limits per network are off: calls come from a private address; if it is a proxy, name it in TRUSTED_PROXIES',
      );
    }
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (isUnlimited(request, trustedProxies.length > 0)) note(request);
    done();
  });
  return { latest: () => latest };
};
