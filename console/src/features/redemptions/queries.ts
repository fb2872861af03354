import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRedemptions,
  deleteRedemption,
  getRedemption,
  listRedemptions,
  redemptionStatus,
  searchRedemptions,
  updateRedemption,
} from '@weir/contract/redemptions';
import type { Redemption } from '@weir/contract/redemptions';
import { call } from '../../lib/api/call.ts';
import type { OnTotal } from '../../lib/api/call.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import type { RedemptionsSearch } from './redemptions-search.ts';

const key = ['redemptions'] as const;

/** The query of the list: a search returns everything, otherwise pages. */
export const redemptionsList = ({ q }: Pick<RedemptionsSearch, 'q'>) => ({
  key: [...key, q ?? ''],
  whole: q !== undefined,
  fetchPage: (page: number, signal: AbortSignal, onTotal?: OnTotal): Promise<Redemption[]> =>
    q === undefined
      ? call(listRedemptions, { query: { p: page }, signal, onTotal })
      : call(searchRedemptions, { query: { keyword: q }, signal }),
});

export const redemptionQuery = (id: number) =>
  queryOptions({
    queryKey: ['redemption', id],
    queryFn: ({ signal }) => call(getRedemption, { params: { id }, signal }),
    staleTime: 0,
  });

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key });

/** The request body of the form (specification §7). */
export interface RedemptionFields {
  readonly name: string;
  readonly quota: number;
  readonly count: number;
}

export const create = async (client: QueryClient, fields: RedemptionFields): Promise<readonly string[]> => {
  const codes = await call(createRedemptions, { body: fields });
  await refresh(client);
  return codes;
};

export const update = async (
  client: QueryClient,
  id: number,
  { name, quota }: Pick<RedemptionFields, 'name' | 'quota'>,
): Promise<void> => {
  await call(updateRedemption, { body: { id, name, quota } });
  client.removeQueries({ queryKey: ['redemption', id] });
  await refresh(client);
};

/** The status values that the switch can set. */
export type SwitchStatus = (typeof redemptionStatus)['unused' | 'disabled'];

/** The status that the switch sets from the current one. */
export const oppositeOf = (status: number): SwitchStatus =>
  status === redemptionStatus.unused ? redemptionStatus.disabled : redemptionStatus.unused;

/** Switches a code on screen, then on the server; reverts it if the server refuses. */
export const setStatus = async (client: QueryClient, { id }: Redemption, status: SwitchStatus): Promise<void> => {
  const takeBack = patchRow<Redemption>(client, key, id, { status });
  try {
    const changed = await call(updateRedemption, { query: { status_only: 'true' }, body: { id, status } });
    patchRow<Redemption>(client, key, id, { status: changed.status });
  } catch (error) {
    takeBack();
    throw error;
  }
};

export const remove = async (client: QueryClient, { id }: Redemption): Promise<void> => {
  await call(deleteRedemption, { params: { id } });
  patchRow<Redemption>(client, key, id, { deleted: true });
};
