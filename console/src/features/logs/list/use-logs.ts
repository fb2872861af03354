import { useQueryClient } from '@tanstack/react-query';
import { pageSize } from '@weir/contract/wire';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { usePagedList } from '../../../lib/lists/paged-list.ts';
import type { PagedList } from '../../../lib/lists/paged-list.ts';
import { wirePagesFor } from '../../../lib/lists/pager.ts';
import { dropLiveRows, useLiveRows } from './live-rows.ts';
import { filtersOf } from '../filters/log-filters.ts';
import type { LogFilters } from '../filters/log-filters.ts';
import { mergeRows } from '../log-format.ts';
import type { LogRow } from './log-row.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { logSource } from '../queries.ts';
import type { LogSource } from '../queries.ts';

/** Default number of rows, if the address has no number: 32 px rows leave room for more than one page of the wire. */
export const usualSize = 20;

const pagesMax = 50;
const awayPx = 120;
const onScroll = (listener: () => void): (() => void) => {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
};
const useScrolledAway = (): boolean => useSyncExternalStore(onScroll, () => window.scrollY > awayPx);

export interface Logs {
  readonly source: LogSource;
  readonly filters: LogFilters;
  readonly list: PagedList<LogRow>;
  /** Records that just appeared on screen. */
  readonly fresh: ReadonlySet<number>;
  /** Live records held back because the list is scrolled down. */
  readonly held: number;
  /** The last live polls failed. */
  readonly faltering: boolean;
  readonly loadAll: () => void;
}

/** The records on screen: pages on demand, and the new records while the live view is on. */
export const useLogs = (search: LogsSearch, admin: boolean, live: boolean): Logs => {
  const client = useQueryClient();
  const filters = useMemo(() => filtersOf(search, admin), [search, admin]);
  const source = useMemo(() => logSource(client, admin, filters), [client, admin, filters]);
  const [all, setAll] = useState(false);
  // Cards are loaded one after the other: loading thousands of them would take too long.
  const page = Math.min(search.p ?? 1, pagesMax);
  const base = usePagedList({ ...source, needed: wirePagesFor(page, search.size ?? usualSize, pageSize), all });
  const { rows, fresh, failures } = useLiveRows(source, live && !base.loading && base.error === null);

  // New rows must not move the rows on screen.
  const away = useScrolledAway() || page > 1;
  const list = JSON.stringify(source.key);
  const [taken, setTaken] = useState({ list, rows });
  if (taken.list !== list || (!away && taken.rows !== rows)) setTaken({ list, rows });
  const merged = useMemo(() => mergeRows(taken.rows, base.rows), [taken.rows, base.rows]);
  const refetch = (): void => {
    source.restart();
    dropLiveRows(client, source);
    base.refetch();
  };
  return {
    source,
    filters,
    list: { ...base, rows: merged, refetch },
    fresh,
    held: Math.max(0, rows.length - taken.rows.length),
    faltering: live && failures > 0,
    loadAll: () => setAll(true),
  };
};
