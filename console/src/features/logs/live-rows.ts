import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { pageSize } from '@weir/contract/wire';
import type { LogRow } from './log-row.ts';
import type { LogSource } from './queries.ts';

/** Records that came while the live view was on. */
export interface LiveRows {
  /** Newest first; joins the first page of the list without a gap. */
  readonly rows: readonly LogRow[];
  /** Those of the last answer. */
  readonly fresh: ReadonlySet<number>;
  /** Answers missed in a row. */
  readonly failures: number;
}

export const noLiveRows: LiveRows = { rows: [], fresh: new Set(), failures: 0 };

const pollMs = 2000;
const pollMaxMs = 60_000;

/** Every two seconds, twice as long after every failure. */
export const pauseMs = (failures: number): number => Math.min(pollMs * 2 ** failures, pollMaxMs);

const pagesMax = 5;
const rowsMax = 1000;

/** The records newer than the known ones; undefined when there are so many that the gap was not bridged. */
export const readNew = async (
  fetchPage: (page: number) => Promise<readonly LogRow[]>,
  known: ReadonlySet<number>,
): Promise<LogRow[] | undefined> => {
  const found = new Map<number, LogRow>();
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await fetchPage(page);
    for (const row of rows) if (!known.has(row.id)) found.set(row.id, row);
    if (rows.length < pageSize || rows.some((row) => known.has(row.id))) return [...found.values()];
  }
  return undefined;
};

const liveKey = (source: LogSource) => [...source.key, 'live'];

/** Forgets the live records, because the list is read anew. */
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
    // Too many to follow row by row: read the pages on screen again instead.
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

/** Asks for new records while `on`, and only while the page is visible. */
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
