import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isWithin, plainAddress, rangesOf } from './ranges.ts';

/** Addresses of private networks: an undeclared proxy has one of them. */
const privateRanges = rangesOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

const wordsOf = (part: string): string[] => part.split(':').filter((word) => word !== '');

/** The /24 of an IPv4 address, the /64 of an IPv6 one: as many as one subscriber has. */
export const subscriberOf = (address: string): string => {
  if (!isIPv6(address)) return address.split('.').slice(0, 3).join('.');
  const [head = '', tail = ''] = address.split('::', 2);
  const [before, after] = [wordsOf(head), wordsOf(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
};

/**
 * The network that a request comes from, for limits. Undefined: a private peer that no proxy setting names. It may be a
 * proxy with all clients behind it, so it is not limited.
 */
export const networkOf = (request: FastifyRequest): string | undefined => {
  const address = plainAddress(request.ip);
  const isPeer = address === plainAddress(request.socket.remoteAddress ?? '');
  return isPeer && isWithin(privateRanges, address) ? undefined : subscriberOf(address);
};
