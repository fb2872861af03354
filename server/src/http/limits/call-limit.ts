import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { networkOf } from '../network.ts';

/** Callers counted at once; the ones unused for longest are forgotten. */
const callersMax = 10_000;

/** A session, a system access token, or the network of a call without either. */
const callerOf = (request: FastifyRequest): string | undefined => {
  const { actor } = request;
  if (actor === undefined) return networkOf(request);
  return actor.sessionDigest ?? `token of ${actor.user.id}`;
};

/** Limits the calls per minute of each session, access token or, without either, network. */
export const limitCalls = async (app: FastifyInstance, perMinute: number): Promise<void> => {
  await app.register(rateLimit, {
    global: false,
    // After `onRequest`, which authenticates the caller.
    hook: 'preParsing',
    max: perMinute,
    timeWindow: 60_000,
    cache: callersMax,
    keyGenerator: (request) => callerOf(request) ?? '',
    allowList: (request) => callerOf(request) === undefined,
    errorResponseBuilder: () => new AppError('too_many_attempts'),
  });
};
