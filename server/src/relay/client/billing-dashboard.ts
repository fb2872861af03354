import { neverExpires } from '@weir/contract/tokens';
import type { Database } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import { findToken } from '../../store/tokens.ts';
import { findUser } from '../../store/users/users.ts';
import { RelayError } from './relay-error.ts';
import type { Access } from './token-check.ts';

/** What programs that were written for OpenAI's own billing pages ask of a key (wire contract 4). */
export interface BillingDashboard {
  /** The JSON of the answer at one of the paths. */
  answer(path: string, access: Access): Promise<string>;
}

interface BillingDashboardDeps {
  readonly db: Database;
  readonly options: Pick<Options, 'get'>;
}

interface Standing {
  readonly remaining: number;
  readonly used: number;
  readonly unlimited: boolean;
  /** Unix seconds; 0: never. */
  readonly expires: number;
}

/** Shown as the limit of a key without one. */
const unlimitedAmount = 100_000_000;

const subscriptionPath = /^(?:\/v1)?\/dashboard\/billing\/subscription\/?$/;
const usagePath = /^(?:\/v1)?\/dashboard\/billing\/usage\/?$/;

export const isBillingPath = (path: string): boolean => subscriptionPath.test(path) || usagePath.test(path);

const subscription = (amount: number, expires: number): string =>
  JSON.stringify({
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: amount,
    hard_limit_usd: amount,
    system_hard_limit_usd: amount,
    access_until: expires,
  });

/** A hundredth, without the digits that binary fractions add. */
const inCents = (amount: number): number => Number((amount * 100).toPrecision(15));

export const createBillingDashboard = ({ db, options }: BillingDashboardDeps): BillingDashboard => {
  const ofToken = async ({ payer }: Access): Promise<Standing> => {
    const token = await findToken(db.read, { id: payer.tokenId, userId: payer.userId });
    if (token === undefined) throw new RelayError('token_invalid');
    const expires = token.expired_time === neverExpires ? 0 : token.expired_time;
    const unlimited = token.unlimited_quota === 1;
    return { remaining: token.available + token.held, used: token.used, unlimited, expires };
  };
  const ofUser = async ({ payer }: Access): Promise<Standing> => {
    const user = await findUser(db.read, payer.userId);
    if (user === undefined) throw new RelayError('user_banned');
    return { remaining: user.available + user.held, used: user.used, unlimited: false, expires: 0 };
  };
  const shown = (quota: number): number =>
    options.get('DisplayInCurrencyEnabled') ? quota / options.get('QuotaPerUnit') : quota;

  return {
    answer: async (path, access) => {
      const standing = await (options.get('DisplayTokenStatEnabled') ? ofToken(access) : ofUser(access));
      const { remaining, used, unlimited, expires } = standing;
      if (usagePath.test(path)) return JSON.stringify({ object: 'list', total_usage: inCents(shown(used)) });
      return subscription(unlimited ? unlimitedAmount : shown(remaining + used), expires);
    },
  };
};
