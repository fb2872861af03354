import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { createAddressLimit } from './address-limit.ts';

const openedRule = { max: 5, windowMs: 3_600_000 } as const;
/** Names, codes and links can be guessed at: as many tries as the reference allows (wire contract 1.5). */
const triesRule = { max: 20, windowMs: 20 * 60_000 } as const;

/** Bounds from one network what anybody may do without an account: opening accounts, and tries at doing so. */
export interface AccountLimits {
  /** Makes a try at a new password. */
  enter(request: FastifyRequest): void;
  /** Makes a try at opening an account; one that fails is not counted as an account. */
  open<Result>(request: FastifyRequest, attempt: () => Promise<Result>): Promise<Result>;
}

export const createAccountLimits = ({ clock }: { readonly clock: { now(): number } }): AccountLimits => {
  const tries = createAddressLimit({ clock, ...triesRule });
  const opened = createAddressLimit({ clock, ...openedRule });
  const enter = (request: FastifyRequest): void => {
    if (!tries.enter(request)) throw new AppError('too_many_attempts');
  };
  return {
    enter,
    open: async (request, attempt) => {
      enter(request);
      if (!opened.enter(request)) throw new AppError('too_many_attempts');
      try {
        return await attempt();
      } catch (error) {
        opened.forgive(request);
        throw error;
      }
    },
  };
};
