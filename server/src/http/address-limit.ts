import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isWithin, plainAddress, rangesOf } from './ranges.ts';

/** Addresses that belong to nobody in particular: a proxy that nobody declared looks like one of them. */
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

/** Beyond this the ones unused for longest are forgotten. */
const networksMax = 100_000;

/** How often something may be tried from one network within a time. */
export interface AddressLimit {
  /** Counts an attempt before it is made. False: it has to wait. */
  enter(request: FastifyRequest): boolean;
  /** The attempt was none to worry about. */
  forgive(request: FastifyRequest): void;
}

interface AddressLimitOptions {
  readonly clock: { now(): number };
  readonly max: number;
  readonly windowMs: number;
}

/** The /24 of an IPv4 address, the /64 of an IPv6 one: as many as one subscriber has. */
const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address.split('.').slice(0, 3).join('.');
  const [head = '', tail] = address.split('::', 2);
  const words = head.split(':').filter((word) => word !== '');
  const after = tail === undefined ? [] : tail.split(':').filter((word) => word !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - words.length - after.length) }, () => '0');
  return [...words, ...zeros, ...after].slice(0, 4).join(':');
};

/**
 * The network a request comes from. Undefined: a private peer that no proxy setting names. It may be a proxy with
 * everybody behind it, so nobody is shut out for its sake (it still counts per account).
 */
const networkIn = (request: FastifyRequest): string | undefined => {
  const address = plainAddress(request.ip);
  const isPeer = address === plainAddress(request.socket.remoteAddress ?? '');
  return isPeer && isWithin(privateRanges, address) ? undefined : networkOf(address);
};

export const createAddressLimit = ({ clock, max, windowMs }: AddressLimitOptions): AddressLimit => {
  const networks = new Map<string, { count: number; readonly since: number }>();
  const change = (request: FastifyRequest, by: number): boolean => {
    const network = networkIn(request);
    if (network === undefined) return true;
    const known = networks.get(network);
    const current =
      known === undefined || clock.now() - known.since >= windowMs ? { count: 0, since: clock.now() } : known;
    if (by > 0 && current.count >= max) return false;
    current.count = Math.max(0, current.count + by);
    networks.delete(network);
    networks.set(network, current);
    const [oldest] = networks.size > networksMax ? networks.keys() : [];
    if (oldest !== undefined) networks.delete(oldest);
    return true;
  };
  return { enter: (request) => change(request, 1), forgive: (request) => void change(request, -1) };
};
