import { queryOptions } from '@tanstack/react-query';
import { listChannels } from '@weir/contract/channels';
import { readReconciliation } from '@weir/contract/ledger';
import { listTokens } from '@weir/contract/tokens';
import { getOwnUsage, getUsage } from '@weir/contract/usage';
import type { Usage } from '@weir/contract/usage';
import { getSelf } from '@weir/contract/users';
import { call } from '../../lib/call.ts';
import { startOf } from '../../lib/usage-range.ts';
import type { RangeId } from '../../lib/usage-range.ts';
import { ownDimensions } from './dashboard-search.ts';
import type { Dimension } from './dashboard-search.ts';

interface UsageOf {
  readonly everybody: boolean;
  readonly range: RangeId;
  readonly by: Dimension;
}

const freshMs = 60_000;

export const usageQuery = ({ everybody, range, by }: UsageOf) =>
  queryOptions({
    queryKey: ['usage', everybody, range, by],
    staleTime: freshMs,
    queryFn: ({ signal }): Promise<Usage> => {
      const start_timestamp = startOf(range, Math.floor(Date.now() / 1000));
      if (everybody) return call(getUsage, { query: { start_timestamp, by }, signal });
      const own = ownDimensions.find((dimension) => dimension === by) ?? 'model';
      return call(getOwnUsage, { query: { start_timestamp, by: own }, signal });
    },
  });

export const balanceQuery = queryOptions({
  queryKey: ['self'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(getSelf, { signal }),
});

/** The newest keys and channels: what may need somebody. */
export const keysQuery = queryOptions({
  queryKey: ['attention', 'keys'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listTokens, { query: { p: 0, order: '' }, signal }),
});
export const channelsQuery = queryOptions({
  queryKey: ['attention', 'channels'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listChannels, { query: { p: 0 }, signal }),
});

/** The last comparison of the ledger with every balance; the server makes one a minute. */
export const booksQuery = queryOptions({
  queryKey: ['books'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(readReconciliation, { signal }),
  // The first one has not ended yet.
  refetchInterval: ({ state }) => (state.data?.checked_at === 0 ? 1000 : false),
});
