import type { Database } from '../../store/database.ts';
import { type AddressLimit, createAddressLimit } from './address-limit.ts';

const rule = { name: 'access-token', max: 60, seconds: 60 } as const;

interface TokenLimitDeps {
  readonly db: Database;
  readonly clock: { now(): number };
}

/** Limits, by network, calls with access tokens that no user has. Valid ones are not counted. */
export const createTokenLimit = (deps: TokenLimitDeps): Pick<AddressLimit, 'enter'> =>
  createAddressLimit({ ...deps, ...rule });
