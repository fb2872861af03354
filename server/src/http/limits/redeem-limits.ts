import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { clearAttempts, countAttempt, isBlocked, type AttemptRule } from '../../store/users/attempts.ts';
import type { Database } from '../../store/database.ts';
import { createAddressLimit } from './address-limit.ts';

/** Ten wrong codes, then one an hour, until one is right or none was tried for a day. */
const userRule: AttemptRule = { free: 10, delays: [3600] };
const addressRule = { name: 'redeem', max: 50, seconds: 3600 } as const;

interface Redeeming {
  readonly request: FastifyRequest;
  readonly userId: number;
}

interface RedeemLimitsDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

const isGuess = (error: unknown): boolean => error instanceof AppError && error.code === 'redeem_unknown';

/**
 * Stops the guessing of redemption codes: `attempt` is made unless its user or network tried too many that do not
 * exist. A code that exists is no guess, whether it can be redeemed or not.
 */
export const createRedeemLimits = ({ db, clock }: RedeemLimitsDeps) => {
  const addresses = createAddressLimit({ db, clock, ...addressRule });
  return async <Result>({ request, userId }: Redeeming, attempt: () => Promise<Result>): Promise<Result> => {
    const subject = `redeem:user:${userId}`;
    const now = Math.floor(clock.now() / 1000);
    if (await isBlocked(db, subject, now)) throw new AppError('too_many_attempts');
    await addresses.enter(request);
    try {
      const result = await attempt();
      await addresses.forgive(request);
      await clearAttempts(db, subject);
      return result;
    } catch (error) {
      if (!isGuess(error)) await addresses.forgive(request);
      // Of guesses made at once, those beyond the limit get `too_many_attempts` only.
      else if (!(await countAttempt(db, { subject, rule: userRule, now }))) throw new AppError('too_many_attempts');
      throw error;
    }
  };
};
