import { queryOptions } from '@tanstack/react-query';
import { countOwnLogs, logType, listOwnLogs } from '@weir/contract/logs';
import { listAvailableModels } from '@weir/contract/models';
import { pageSize } from '@weir/contract/wire';
import type { Token } from '@weir/contract/tokens';
import { getOwnUsage } from '@weir/contract/usage';
import { hasCapabilities } from '../../../lib/api/capabilities.ts';
import { call } from '../../../lib/api/call.ts';
import { currentStatus } from '../../../lib/api/status.ts';
import { boundsOfRange } from '../../../lib/usage-range.ts';
import type { RangeId } from '../../../lib/usage-range.ts';

const freshMs = 60_000;
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

type Named = Pick<Token, 'id' | 'name'>;

/** Several tokens may have one name; other servers of the contract have no other filter. */
const recordsOf = ({ id, name }: Named) => (hasCapabilities(currentStatus()) ? { token_id: id } : { token_name: name });

/** Usage of a token by model; without a token: of the whole account. */
export const keyUsageQuery = (range: RangeId, token?: Named) =>
  queryOptions({
    queryKey: ['usage', 'key', token?.id, range],
    staleTime: freshMs,
    queryFn: ({ signal }) =>
      call(getOwnUsage, {
        query: { ...boundsOfRange(range, nowSeconds()), by: 'model', ...(token && recordsOf(token)) },
        signal,
      }),
  });

/** The newest requests of a token. */
export const keyRequestsQuery = (token: Named) =>
  queryOptions({
    queryKey: ['logs', 'key', token.id],
    staleTime: 0,
    queryFn: ({ signal }) => call(listOwnLogs, { query: { p: 0, type: logType.consume, ...recordsOf(token) }, signal }),
  });

/** The second of a token's first request; null: none. */
export const firstUseQuery = (token: Named) =>
  queryOptions({
    queryKey: ['logs', 'key', token.id, 'first'],
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<number | null> => {
      const filter = { type: logType.consume, ...recordsOf(token) };
      const { buckets, step } = await call(countOwnLogs, { query: filter, signal });
      const [first] = buckets;
      if (first === undefined) return null;
      // Newest first: the oldest of the first bucket ends its last page.
      const span = { start_timestamp: first.at, end_timestamp: first.at + step - 1 };
      const p = Math.floor((first.records - 1) / pageSize);
      const rows = await call(listOwnLogs, { query: { ...filter, ...span, p }, signal });
      return rows.at(-1)?.created_at ?? null;
    },
  });

/** All requests of a token, newest first, in pages of the wire. */
export const keyRequestPages = (token: Named) => ({
  key: ['logs', 'key', token.id, 'all'],
  fetchPage: (p: number, signal: AbortSignal) =>
    call(listOwnLogs, { query: { p, type: logType.consume, ...recordsOf(token) }, signal }),
});

/** The models that the own account can call. */
export const modelsQuery = queryOptions({
  queryKey: ['available-models'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listAvailableModels, { signal }),
});
