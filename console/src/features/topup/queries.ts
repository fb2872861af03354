import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { redeem } from '@weir/contract/redemptions';
import { getDashboard, getSelf } from '@weir/contract/users';
import { call } from '../../lib/api/call.ts';
import { selfQuery } from '../../lib/api/self.ts';

/** The spend of the last seven days. */
export const spendingQuery = queryOptions({
  queryKey: ['spending'],
  queryFn: ({ signal }) => call(getDashboard, { signal }),
  // Other servers of the contract may not support it: the balance is shown without a forecast then.
  retry: false,
});

export interface Redeemed {
  /** Quota units. */
  readonly added: number;
  /** The new balance in quota units; undefined if the account could not be reloaded. */
  readonly balance: number | undefined;
}

/** Redeems a code and reloads the account. */
export const redeemCode = async (client: QueryClient, key: string): Promise<Redeemed> => {
  const added = await call(redeem, { body: { key } });
  const account = await call(getSelf).catch(() => undefined);
  if (account === undefined) await client.invalidateQueries({ queryKey: selfQuery.queryKey });
  else client.setQueryData(selfQuery.queryKey, account);
  return { added, balance: account?.quota };
};
