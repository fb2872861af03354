import type { FastifyRequest } from 'fastify';
import { networkOf } from './network.ts';

/** Beyond this the networks unused for longest are forgotten. */
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

interface Window {
  count: number;
  readonly since: number;
}

export const createAddressLimit = ({ clock, max, windowMs }: AddressLimitOptions): AddressLimit => {
  const windows = new Map<string, Window>();
  const current = (network: string): Window => {
    const known = windows.get(network);
    const now = clock.now();
    const window = known === undefined || now - known.since >= windowMs ? { count: 0, since: now } : known;
    windows.delete(network);
    windows.set(network, window);
    const [oldest] = windows.size > networksMax ? windows.keys() : [];
    if (oldest !== undefined) windows.delete(oldest);
    return window;
  };
  return {
    enter: (request) => {
      const network = networkOf(request);
      if (network === undefined) return true;
      const window = current(network);
      if (window.count >= max) return false;
      window.count += 1;
      return true;
    },
    forgive: (request) => {
      const network = networkOf(request);
      if (network === undefined) return;
      const window = current(network);
      window.count = Math.max(0, window.count - 1);
    },
  };
};
