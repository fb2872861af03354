import type { QueryClient } from '@tanstack/react-query';
import { redeem } from '@weir/contract/redemptions';
import { getSelf } from '@weir/contract/users';
import { call } from '../../lib/api/call.ts';
import { selfQuery } from '../../lib/api/self.ts';

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
