import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pageSize } from '@weir/contract/wire';
import { useMemo, useState } from 'react';
import type { Column } from '../../../components/table/data-table-types.ts';
import { sortRows } from '../../../lib/lists/sort-rows.ts';
import { dropLiveRows, useLiveRows } from './live-rows.ts';
import { keeper } from '../filters/excluded.ts';
import { filtersOf } from '../filters/log-filters.ts';
import type { LogRow } from './log-row.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { countAfter, countQuery, logSource } from '../queries.ts';
import { useLogPages } from './use-log-pages.ts';
import type { Logs } from './use-logs.ts';

/** The records of a list of any length; only those on screen are loaded. */
export interface LongLogs extends Logs {
  readonly total: number;
  /** False: there are more records, the number is unknown. */
  readonly exact: boolean;
  readonly rowAt: (index: number) => LogRow | undefined;
  readonly show: (first: number, count: number) => void;
  /** Index of the newest record that is not after a time; undefined: the list is not sorted by time. */
  readonly rowAtTime: ((unixSeconds: number) => Promise<number>) | undefined;
}

/** Rows beyond the edges of the screen that are fetched with it. */
const nearRows = 5;
/** Number of pages that sorting loads. */
const sortedPages = 100;

interface LongLogsOptions {
  readonly search: LogsSearch;
  readonly admin: boolean;
  readonly live: boolean;
  readonly columns: readonly Column<LogRow>[];
  /** The list is scrolled down: new records wait above. */
  readonly away: boolean;
  /** Rows that the address refers to: assumed to exist until the count is loaded. */
  readonly atLeast: number;
}

/** The new records since the list was read, held back while the list is scrolled down. */
const useTaken = (list: string, rows: readonly LogRow[], away: boolean): readonly LogRow[] => {
  const [taken, setTaken] = useState({ list, rows });
  if (taken.list !== list || (!away && taken.rows !== rows)) setTaken({ list, rows });
  return taken.rows;
};

/** The number of records in the list, as far as known. */
const totalOf = (
  pages: ReturnType<typeof useLogPages>['pages'],
  counted: number | undefined,
): { readonly known: number | undefined; readonly ended: number | undefined } => {
  const short = pages.find(([, rows]) => rows.length < pageSize);
  const ended = short && short[0] * pageSize + short[1].length;
  return { ended, known: ended ?? counted };
};

/** All loaded records, each once, newest first. */
const useLoaded = (pages: ReturnType<typeof useLogPages>['pages'], live: readonly LogRow[]): readonly LogRow[] =>
  useMemo(
    () => [...new Map([...live, ...pages.flatMap(([, rows]) => rows)].map((row) => [row.id, row])).values()],
    [pages, live],
  );

/** Rows by their index; a page is looked up once, whichever of its rows are needed. */
const pagedRows = (pageOf: (page: number) => readonly LogRow[] | undefined) => {
  const seen = new Map<number, readonly LogRow[] | undefined>();
  return (index: number): LogRow | undefined => {
    const page = Math.floor(index / pageSize);
    if (!seen.has(page)) seen.set(page, pageOf(page));
    return seen.get(page)?.[index % pageSize];
  };
};

const useSource = (search: LogsSearch, admin: boolean) => {
  const client = useQueryClient();
  // The page in the address changes with every scroll; it must not restart the list and its requests.
  const current = filtersOf(search, admin);
  const [filters, setFilters] = useState(current);
  if (JSON.stringify(filters) !== JSON.stringify(current)) setFilters(current);
  const source = useMemo(() => logSource(client, admin, filters), [client, admin, filters]);
  const refetch = (): void => {
    source.restart();
    dropLiveRows(client, source);
    void client.invalidateQueries({ queryKey: source.key });
  };
  return { filters, source, refetch };
};

export const useLongLogs = ({ search, admin, live, columns, away, atLeast }: LongLogsOptions): LongLogs => {
  const { filters, source, refetch } = useSource(search, admin);
  const { first, pages, pageOf, show } = useLogPages(source);
  const count = useQuery({ ...countQuery(source, admin, filters), enabled: first.data?.length === pageSize });
  const poll = useLiveRows(source, live && first.isSuccess);
  const taken = useTaken(JSON.stringify(source.key), poll.rows, away);
  const loaded = useLoaded(pages, taken);
  const { known, ended } = totalOf(pages, count.data?.total);
  const rowOf = pagedRows(pageOf);
  const reached = ((pages.at(-1)?.[0] ?? 0) + 2) * pageSize;
  const { sort, not } = search;
  /** Sorting or exclusions that the server does not support. */
  const arranged = useMemo(() => {
    const keep = keeper(not);
    if (sort === undefined && keep === undefined) return undefined;
    return sortRows(keep ? loaded.filter(keep) : loaded, sort, (id) => columns.find((each) => each.id === id)?.sortBy);
  }, [loaded, sort, not, columns]);
  return {
    source,
    filters,
    list: {
      rows: loaded,
      complete: ended !== undefined && loaded.length >= ended,
      loading: first.isPending,
      fetching: first.isFetching,
      error: first.error,
      refetch,
    },
    fresh: poll.fresh,
    held: Math.max(0, poll.rows.length - taken.length),
    faltering: live && poll.failures > 0,
    total: arranged?.length ?? (known ?? (count.isFetched ? reached : Math.max(reached, atLeast))) + taken.length,
    exact: arranged !== undefined || known !== undefined,
    rowAt: (index) => {
      if (arranged) return arranged[index];
      const stored = index - taken.length;
      return stored < 0 ? taken[index] : rowOf(stored);
    },
    show: (from, rows) => {
      if (arranged === undefined)
        show({ first: Math.max(0, from - taken.length - nearRows), count: rows + 2 * nearRows });
    },
    rowAtTime: arranged ? undefined : async (at) => taken.length + (await countAfter(source, admin, filters, at)),
    loadAll: () => show({ first: 0, count: sortedPages * pageSize - 1 }),
  };
};
