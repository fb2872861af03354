import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { countWithin, forgiveWithin } from '../../store/users/attempts.ts';
import type { Database } from '../../store/database.ts';
import { bucketOf } from './bucket.ts';
import { networkOf } from '../network.ts';

const networksMax = 2 ** 20;

/** How often something may be tried from one network within a time, on all nodes together. */
export interface AddressLimit {
  /** Counts an attempt before it is made; refuses it where it has to wait. */
  enter(request: FastifyRequest): Promise<void>;
  /** The attempt was none to worry about. */
  forgive(request: FastifyRequest): Promise<void>;
}

interface AddressLimitOptions {
  readonly db: Database;
  readonly clock: { now(): number };
  /** What is tried: each has counts of its own. */
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
}

export const createAddressLimit = ({ db, clock, name, max, seconds }: AddressLimitOptions): AddressLimit => {
  const attemptOf = (request: FastifyRequest) => {
    const network = networkOf(request);
    if (network === undefined) return undefined;
    const now = Math.floor(clock.now() / 1000);
    return { subject: `network:${name}:${bucketOf(network, networksMax)}`, now };
  };
  return {
    enter: async (request) => {
      const attempt = attemptOf(request);
      if (attempt === undefined) return;
      if (!(await countWithin(db.write, { ...attempt, max, seconds }))) throw new AppError('too_many_attempts');
    },
    forgive: async (request) => {
      const attempt = attemptOf(request);
      if (attempt !== undefined) await forgiveWithin(db, attempt);
    },
  };
};
