import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { pageSize } from '@weir/contract/wire';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { LogRow } from './log-row.ts';
import { pageQuery } from '../queries.ts';
import type { LogSource } from '../queries.ts';

const settleMs = 60;
const inFlightMax = 4;
const keptMax = 2000;

/** Rows that are on screen. */
interface Shown {
  readonly first: number;
  readonly count: number;
}

const isPage = (key: unknown): key is number => typeof key === 'number';

/** Pages of a list in the cache, with their numbers, first page first. */
export const cachedPages = (client: QueryClient, source: LogSource): readonly (readonly [number, LogRow[]])[] =>
  client
    .getQueriesData<LogRow[]>({ queryKey: source.key })
    .flatMap(([key, rows]) => {
      const page = key.at(-1);
      return isPage(page) && key.length === source.key.length + 1 && rows !== undefined ? [[page, rows] as const] : [];
    })
    .sort(([one], [other]) => one - other);

const pagesOf = ({ first, count }: Shown): number[] => {
  const from = Math.floor(first / pageSize);
  const to = Math.floor((first + count) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
};

/** The cached pages of a list, and the operations on them. */
const createCache = (client: QueryClient, source: LogSource) => {
  const listeners = new Set<() => void>();
  let known = cachedPages(client, source);
  const keyOf = (page: number) => [...source.key, page];
  return {
    keyOf,
    pages: () => known,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    has: (page: number): boolean => client.getQueryData(keyOf(page)) !== undefined,
    isMissing: (page: number): boolean => {
      const state = client.getQueryState(keyOf(page));
      return state?.data === undefined || state.isInvalidated;
    },
    /** Reads the cached pages, and drops the pages furthest from the screen if there are too many. */
    look: ({ first }: Shown): void => {
      known = cachedPages(client, source);
      const distance = ([page]: readonly [number, LogRow[]]): number => Math.abs(page - first / pageSize);
      const far = known.length > keptMax ? known.toSorted((one, other) => distance(one) - distance(other)) : [];
      for (const [page] of far.slice(keptMax)) client.removeQueries({ queryKey: keyOf(page), exact: true });
      for (const listener of listeners) listener();
    },
  };
};

/** Fetches the pages on screen, anywhere in the list: a few at a time, the latest request first. */
const createFetcher = (client: QueryClient, source: LogSource) => {
  const cache = createCache(client, source);
  const running = new Set<number>();
  const failed = new Set<number>();
  let shown: Shown = { first: 0, count: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;

  const start = async (page: number): Promise<void> => {
    running.add(page);
    try {
      const queryFn = ({ signal }: { readonly signal: AbortSignal }) => source.fetchPage(page, signal);
      await client.query({ queryKey: cache.keyOf(page), queryFn, staleTime: 0 });
    } catch {
      failed.add(page);
    }
    running.delete(page);
    cache.look(shown);
    pump();
  };
  const pump = (): void => {
    // The first page sets the bounds of the list, so it loads first.
    if (!cache.has(0)) return;
    for (const page of pagesOf(shown)) {
      if (running.size >= inFlightMax) return;
      if (page > 0 && !running.has(page) && !failed.has(page) && cache.isMissing(page)) void start(page);
    }
  };
  const settle = (): void => {
    failed.clear();
    const wishes = new Set(pagesOf(shown));
    for (const page of running) {
      if (!wishes.has(page)) void client.cancelQueries({ queryKey: cache.keyOf(page), exact: true });
    }
    pump();
  };
  return {
    pages: cache.pages,
    subscribe: cache.subscribe,
    show: (next: Shown): void => {
      shown = next;
      clearTimeout(timer);
      timer = setTimeout(settle, settleMs);
    },
    /** The first page loaded or reloaded. */
    goOn: (): void => {
      cache.look(shown);
      pump();
    },
    end: (): void => clearTimeout(timer),
  };
};

/** The pages of a list beyond its first one, as far as they are on screen. */
export const useLogPages = (source: LogSource) => {
  const client = useQueryClient();
  const fetcher = useMemo(() => createFetcher(client, source), [client, source]);
  const pages = useSyncExternalStore(fetcher.subscribe, fetcher.pages);
  const first = useQuery(pageQuery(source, 0));
  useEffect(() => {
    fetcher.goOn();
    return fetcher.end;
  }, [fetcher, first.dataUpdatedAt]);
  const pageOf = (page: number): readonly LogRow[] | undefined => client.getQueryData([...source.key, page]);
  return { first, pages, pageOf, show: fetcher.show };
};
