import { skipToken, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { pageSize } from '@weir/contract/wire';
import { useEffect, useState } from 'react';
import type { OnTotal } from '../api/call.ts';
import { whenIdle } from '../browser/when-idle.ts';
import { rowsMax } from './pager.ts';

/** A row in a list. Deleted rows stay in their page, hidden, so that the page does not look like the last one. */
export type Listed<Row> = Row & { readonly deleted?: true };

export interface PagedListOptions<Row> {
  readonly key: QueryKey;
  /** With `onTotal`, which the first page is given, it may tell the length of the list. */
  readonly fetchPage: (page: number, signal: AbortSignal, onTotal?: OnTotal) => Promise<Row[]>;
  /** Number of wire pages that the screen needs now. */
  readonly needed: number;
  /** The first page is everything: search results are not paged. */
  readonly whole?: boolean;
  /** Rows per page of the wire; absent: the usual ten. */
  readonly wireSize?: number;
  /** Load up to 1,000 rows: for sorting or filtering over more than the screen shows. */
  readonly all?: boolean;
}

/** How to read a list from its beginning, beyond what is loaded. */
export interface PageSource<Row> {
  readonly fetchPage: (page: number, signal: AbortSignal) => Promise<readonly Row[]>;
  readonly whole: boolean;
  /** Rows per page; a page with fewer is the last one. */
  readonly wireSize: number;
}

export interface PagedList<Row> {
  readonly rows: readonly Row[];
  /** Rows on the server, loaded or not; absent: unknown. */
  readonly total?: number | undefined;
  /** No further rows on the server. */
  readonly complete: boolean;
  /** The first rows are loading. */
  readonly loading: boolean;
  readonly fetching: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
  /** Absent: only the loaded rows can be exported. */
  readonly source?: PageSource<Row>;
}

const lengthKey = (key: QueryKey): QueryKey => [...key, 'length'];

const isPage = (data: unknown): data is unknown[] => Array.isArray(data);

/** Consecutive pages in the cache, and whether the last one is the end: a short page is. */
const known = (
  client: QueryClient,
  key: QueryKey,
  { whole, wireSize }: Pick<PageSource<unknown>, 'whole' | 'wireSize'>,
): { readonly pages: number; readonly ended: boolean } => {
  for (let page = 0; ; page += 1) {
    const data = client.getQueryData([...key, page]);
    if (!isPage(data)) return { pages: page, ended: false };
    if (whole || data.length < wireSize) return { pages: page + 1, ended: true };
  }
};

const withoutDoubles = <Row extends { readonly id: number }>(pages: readonly (readonly Listed<Row>[])[]): Row[] => {
  // New rows on the server push old ones onto the next page, where they appear a second time.
  const byId = new Map(pages.flat().map((row) => [row.id, row]));
  return [...byId.values()].filter((row) => row.deleted !== true);
};

const pagesAtOnce = 4;
/** A page far beyond the end must not cost a request for each page before it. */
const firstPages = 10;

interface Wanted extends Required<Pick<PagedListOptions<never>, 'needed' | 'whole' | 'all' | 'wireSize'>> {
  readonly pages: number;
  readonly ended: boolean;
  readonly idle: boolean;
}

/** Number of pages to load: the needed ones, more at each answer, then one ahead once the page is idle, or a few at a time up to all. */
const pagesToHold = ({ pages, ended, needed, whole, all, wireSize, idle }: Wanted): number => {
  if (ended) return pages;
  if (whole) return 1;
  if (pages < needed) return Math.min(needed, Math.max(firstPages, 2 * pages));
  return all
    ? Math.max(pages, Math.min(pages + pagesAtOnce, rowsMax / wireSize))
    : Math.max(pages, idle ? needed + 1 : needed);
};

/** Whether the page was idle after the rows on screen had loaded. */
const useIdle = (loaded: boolean): boolean => {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (loaded) whenIdle(() => setIdle(true));
  }, [loaded]);
  return idle;
};

/**
 * A list that loads page by page: the pages on screen, one page ahead, and everything already loaded. Pages are
 * cached one by one, so going back needs no request.
 */
export const usePagedList = <Row extends { readonly id: number }>(options: PagedListOptions<Row>): PagedList<Row> => {
  const { key, fetchPage, needed, whole = false, all = false, wireSize = pageSize } = options;
  const client = useQueryClient();
  const { pages, ended } = known(client, key, { whole, wireSize });
  const idle = useIdle(pages >= needed);
  const count = pagesToHold({ pages, ended, needed, whole, all, wireSize, idle });
  const list = useQueries({
    queries: Array.from({ length: count }, (_, page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Listed<Row>[]> =>
        fetchPage(page, signal, page === 0 ? (found) => client.setQueryData(lengthKey(key), found) : undefined),
    })),
    combine: (results) => {
      // Rows of a page never come before those of an earlier one: they would be pushed down by them.
      const missing = results.findIndex((result) => result.data === undefined);
      const loaded = results.slice(0, missing < 0 ? results.length : missing).map((result) => result.data ?? []);
      const neededPages = results.slice(0, needed);
      return {
        rows: withoutDoubles(loaded),
        complete: ended,
        loading: neededPages.some((result) => result.isPending && result.fetchStatus === 'fetching'),
        fetching: neededPages.some((result) => result.isFetching),
        error: neededPages.find((result) => result.error)?.error ?? null,
        refetch: () => void client.invalidateQueries({ queryKey: key }),
      };
    },
  });
  // Only watched: the first page sets it.
  const { data: total } = useQuery<number | null>({ queryKey: lengthKey(key), queryFn: skipToken });
  return { ...list, total: total ?? undefined, source: { fetchPage, whole, wireSize } };
};

/** Changes a row in every list with this key. Returns a function that reverts it. */
export const patchRow = <Row extends { readonly id: number }>(
  client: QueryClient,
  key: QueryKey,
  id: number,
  changes: Partial<Listed<Row>>,
): (() => void) => {
  const before = client.getQueriesData<Listed<Row>[]>({ queryKey: key });
  client.setQueriesData<Listed<Row>[] | number | null>({ queryKey: key }, (data) => {
    if (Array.isArray(data)) return data.map((row) => (row.id === id ? { ...row, ...changes } : row));
    return typeof data === 'number' && changes.deleted === true ? data - 1 : data;
  });
  return () => {
    for (const [queryKey, data] of before) client.setQueryData(queryKey, data);
  };
};
