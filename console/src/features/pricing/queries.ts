import { queryOptions } from '@tanstack/react-query';
import { listGroups } from '@weir/contract/groups';
import { getPricing } from '@weir/contract/prices/pricing';
import { call } from '../../lib/api/call.ts';

const freshMs = 60_000;

/** The prices of the models for a group; empty: the own one. */
export const pricingQuery = (group: string) =>
  queryOptions({
    queryKey: ['pricing', group],
    staleTime: freshMs,
    queryFn: ({ signal }) => call(getPricing, { query: { group }, signal }),
  });

export const groupsQuery = queryOptions({
  queryKey: ['pricing', 'groups'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listGroups, { signal }),
});
