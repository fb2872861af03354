import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { pauseMs, readNew } from './live-poll.ts';
import type { LogRow } from './log-row.ts';
import type { LogSource } from '../queries.ts';

/** Records that arrived while the live view was on. */
export interface LiveRows {
  /** Newest first; continues into the first page of the list without a gap. */
  readonly rows: readonly LogRow[];
  /** Records of the last poll. */
  readonly fresh: ReadonlySet<number>;
  /** Number of failed polls in a row. */
  readonly failures: number;
}

export const noLiveRows: LiveRows = { rows: [], fresh: new Set(), failures: 0 };

const rowsMax = 1000;

const liveKey = (source: LogSource) => [...source.key, 'live'];

/** Drops the live records, because the list is reloaded. */
export const dropLiveRows = (client: QueryClient, source: LogSource): void =>
  void client.setQueryData<LiveRows>(liveKey(source), noLiveRows);

const poll = async (client: QueryClient, source: LogSource, signal: AbortSignal): Promise<LiveRows> => {
  const before = client.getQueryData<LiveRows>(liveKey(source)) ?? noLiveRows;
  const firstPage = client.getQueryData<LogRow[]>([...source.key, 0]) ?? [];
  const known = new Set([...before.rows, ...firstPage].map(({ id }) => id));
  try {
    const found = await readNew((page) => source.fetchPage(page, signal), known);
    if (found !== undefined && found.length + before.rows.length <= rowsMax) {
      return { rows: [...found, ...before.rows], fresh: new Set(found.map(({ id }) => id)), failures: 0 };
    }
    // Too many to merge: reload the pages on screen instead.
    void client.invalidateQueries({
      queryKey: source.key,
      predicate: ({ queryKey }) => typeof queryKey.at(-1) === 'number',
    });
    return noLiveRows;
  } catch {
    signal.throwIfAborted();
    return { ...before, fresh: noLiveRows.fresh, failures: before.failures + 1 };
  }
};

/** Polls for new records while `on`, and only while the page is visible. */
export const useLiveRows = (source: LogSource, on: boolean): LiveRows => {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: liveKey(source),
    queryFn: ({ signal }) => poll(client, source, signal),
    enabled: on,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => pauseMs(state.data?.failures ?? 0),
    refetchIntervalInBackground: false,
  });
  return data ?? noLiveRows;
};
