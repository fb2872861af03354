import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRateLimit,
  deleteRateLimit,
  getRateLimit,
  listRateLimits,
  updateRateLimit,
} from '@weir/contract/limits/rate-limits';
import type { RateLimit, RateLimitInput } from '@weir/contract/limits/rate-limits';
import { call } from '../../lib/api/call.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import type { RatesSearch } from './rates-search.ts';

const key = ['rate-limits'] as const;

/** The query of the list, which is whole. */
export const ratesList = ({ q }: Pick<RatesSearch, 'q'>) => ({
  key: [...key, q ?? ''],
  whole: true,
  fetchPage: (_: number, signal: AbortSignal): Promise<RateLimit[]> =>
    call(listRateLimits, { query: { keyword: q ?? '' }, signal }),
});

export const rateQuery = (id: number) =>
  queryOptions({
    queryKey: ['rate-limit', id],
    queryFn: ({ signal }) => call(getRateLimit, { params: { id }, signal }),
    staleTime: 0,
  });

/** Creates a rule, or replaces the one of an ID. */
export const saveRate = async (client: QueryClient, id: number | undefined, rule: RateLimitInput): Promise<void> => {
  if (id === undefined) await call(createRateLimit, { body: rule });
  else await call(updateRateLimit, { body: { id, ...rule } });
  client.removeQueries({ queryKey: ['rate-limit'] });
  await client.invalidateQueries({ queryKey: key });
};

export const removeRate = async (client: QueryClient, { id }: RateLimit): Promise<void> => {
  await call(deleteRateLimit, { params: { id } });
  patchRow<RateLimit>(client, key, id, { deleted: true });
};
