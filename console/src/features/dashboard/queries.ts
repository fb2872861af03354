import { queryOptions } from '@tanstack/react-query';
import { listChannelActivity } from '@weir/contract/channel-health';
import { searchChannels } from '@weir/contract/channels';
import { readReconciliation } from '@weir/contract/ledger';
import { listLogs, listOwnLogs, logType } from '@weir/contract/logs';
import { listAvailableModels, listChannelTypeModels, listRetiringModels } from '@weir/contract/models';
import { getPriceBook } from '@weir/contract/prices/book-updates';
import { listUnpricedModels } from '@weir/contract/prices/own-prices';
import { readNetworkLimits } from '@weir/contract/status';
import { searchTokens } from '@weir/contract/tokens';
import { getErrorCounts, getOwnUsage, getSilence, getUsage } from '@weir/contract/usage';
import type { Usage } from '@weir/contract/usage';
import { getSelf } from '@weir/contract/users';
import { call } from '../../lib/api/call.ts';
import { boundsOfSelected } from '../../lib/usage-range.ts';
import type { SelectedRange } from '../../lib/usage-range.ts';
import { ownDimensions } from './dashboard-search.ts';
import type { Dimension } from './dashboard-search.ts';

interface UsageOf {
  readonly allAccounts: boolean;
  readonly range: SelectedRange;
  readonly by: Dimension;
}

const freshMs = 60_000;

export const usageQuery = ({ allAccounts, range, by }: UsageOf) =>
  queryOptions({
    queryKey: ['usage', allAccounts, range, by],
    staleTime: freshMs,
    queryFn: ({ signal }): Promise<Usage> => {
      const bounds = boundsOfSelected(range);
      if (allAccounts) return call(getUsage, { query: { ...bounds, by }, signal });
      const own = ownDimensions.find((dimension) => dimension === by) ?? 'model';
      return call(getOwnUsage, { query: { ...bounds, by: own }, signal });
    },
  });

export const balanceQuery = queryOptions({
  queryKey: ['self'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(getSelf, { signal }),
});

/** Tokens and channels that alerts are derived from: an empty search returns all of them, up to 1,000. */
export const keysQuery = queryOptions({
  queryKey: ['attention', 'keys'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(searchTokens, { query: { keyword: '' }, signal }),
});
export const channelsQuery = queryOptions({
  queryKey: ['attention', 'channels'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(searchChannels, { query: { keyword: '' }, signal }),
});

export const networkLimitsQuery = queryOptions({
  queryKey: ['attention', 'network limits'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(readNetworkLimits, { signal }),
});

/** The last comparison of the ledger with every balance; the server runs one a minute. */
export const reconciliationQuery = queryOptions({
  queryKey: ['reconciliation'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(readReconciliation, { signal }),
  // The first one has not ended yet.
  refetchInterval: ({ state }) => (state.data?.checked_at === 0 ? 1000 : false),
});

export const errorsQuery = queryOptions({
  queryKey: ['usage', 'errors'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(getErrorCounts, { signal }),
});

/** Models that usually have calls at this hour, and have none. */
export const silenceQuery = queryOptions({
  queryKey: ['attention', 'silence'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(getSilence, { signal }),
});

/** The traffic of every channel over the last 24 hours. */
export const activityQuery = queryOptions({
  queryKey: ['attention', 'activity'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listChannelActivity, { signal }),
});

/** Served models without a price, and what happens to their calls. */
export const unpricedQuery = queryOptions({
  queryKey: ['attention', 'unpriced'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listUnpricedModels, { signal }),
});

/** Models that their vendors end soon, by channel. */
export const retiringQuery = queryOptions({
  queryKey: ['attention', 'retiring'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listRetiringModels, { signal }),
});

/** The price book in force, the one of this release, and the one that waits: for root alone. */
export const priceBookQuery = queryOptions({
  queryKey: ['attention', 'price book'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(getPriceBook, { signal }),
});

/** The models that the own account can call. */
export const modelsQuery = queryOptions({
  queryKey: ['available-models'],
  queryFn: ({ signal }) => call(listAvailableModels, { signal }),
});

/** The newest charged request of the gateway, or of the own account; null: none. */
export const firstCallQuery = (admin: boolean) =>
  queryOptions({
    queryKey: ['first-call', admin],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const query = { p: 0, type: logType.consume };
      return (await call(admin ? listLogs : listOwnLogs, { query, signal }))[0] ?? null;
    },
  });

/** The default models of each channel type, by its id as text. */
export const typeModelsQuery = queryOptions({
  queryKey: ['first-steps', 'type models'],
  staleTime: Infinity,
  queryFn: ({ signal }) => call(listChannelTypeModels, { signal }),
});
