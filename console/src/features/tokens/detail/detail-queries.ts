import { queryOptions } from '@tanstack/react-query';
import { countOwnLogs, logType, listOwnLogs } from '@weir/contract/logs';
import { listAvailableModels } from '@weir/contract/models';
import { pageSize } from '@weir/contract/wire';
import { getOwnUsage } from '@weir/contract/usage';
import { call } from '../../../lib/api/call.ts';
import { startOf } from '../../../lib/usage-range.ts';
import type { RangeId } from '../../../lib/usage-range.ts';

const freshMs = 60_000;
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Usage of a token by model; with an empty name: of the whole account. */
export const keyUsageQuery = (range: RangeId, name: string) =>
  queryOptions({
    queryKey: ['usage', 'key', name, range],
    staleTime: freshMs,
    queryFn: ({ signal }) =>
      call(getOwnUsage, {
        query: { start_timestamp: startOf(range, nowSeconds()), by: 'model', token_name: name },
        signal,
      }),
  });

/** The newest requests of a token. */
export const keyRequestsQuery = (name: string) =>
  queryOptions({
    queryKey: ['logs', 'key', name],
    staleTime: 0,
    queryFn: ({ signal }) => call(listOwnLogs, { query: { p: 0, type: logType.consume, token_name: name }, signal }),
  });

/** The second of a token's first request; null: none. */
export const firstUseQuery = (name: string) =>
  queryOptions({
    queryKey: ['logs', 'key', name, 'first'],
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<number | null> => {
      const filter = { type: logType.consume, token_name: name };
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
export const keyRequestPages = (name: string) => ({
  key: ['logs', 'key', name, 'all'],
  fetchPage: (p: number, signal: AbortSignal) =>
    call(listOwnLogs, { query: { p, type: logType.consume, token_name: name }, signal }),
});

/** The models that the own account can call. */
export const modelsQuery = queryOptions({
  queryKey: ['available-models'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listAvailableModels, { signal }),
});
