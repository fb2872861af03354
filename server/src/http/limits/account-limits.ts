import type { FastifyRequest } from 'fastify';
import type { Database } from '../../store/database.ts';
import { createAddressLimit } from './address-limit.ts';

const openedRule = { name: 'opened', max: 5, seconds: 3600 } as const;
/** Names, codes and links can be guessed at: as many tries as the reference allows (wire contract 1.5). */
const triesRule = { name: 'tries', max: 20, seconds: 20 * 60 } as const;

/** Limits, by network, what is allowed without an account: opening accounts, and tries at doing so. */
export interface AccountLimits {
  /** Makes a try at a new password. */
  enter(request: FastifyRequest): Promise<void>;
  /** Makes a try at opening an account; one that fails is not counted as an account. */
  open<Result>(request: FastifyRequest, attempt: () => Promise<Result>): Promise<Result>;
}

interface AccountLimitsDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

export const createAccountLimits = (deps: AccountLimitsDeps): AccountLimits => {
  const tries = createAddressLimit({ ...deps, ...triesRule });
  const opened = createAddressLimit({ ...deps, ...openedRule });
  return {
    enter: tries.enter,
    open: async (request, attempt) => {
      await tries.enter(request);
      await opened.enter(request);
      try {
        return await attempt();
      } catch (error) {
        await opened.forgive(request);
        throw error;
      }
    },
  };
};
