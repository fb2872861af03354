import { pageSize } from '@weir/contract/wire';
import { useMemo, useState } from 'react';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import type { ListSearch } from '../../lib/lists/list-search.ts';
import { usePagedList } from '../../lib/lists/paged-list.ts';
import type { PagedListOptions } from '../../lib/lists/paged-list.ts';
import { wirePagesFor } from '../../lib/lists/pager.ts';

interface ListSource<Row, Search> {
  /** Reads the address; the reader of the route. */
  readonly read: (raw: Record<string, unknown>) => Search;
  readonly pages: (search: Search) => Omit<PagedListOptions<Row>, 'needed' | 'all'>;
  /** Filters the loaded rows by what the server cannot filter; undefined: nothing to filter by. */
  readonly keepOf?: (search: Search) => ((row: Row) => boolean) | undefined;
  /** Rows per page when the address names no number. */
  readonly usualSize?: number;
}

/** The state of a list that is read page by page: the address, the loaded rows and the filter over them. */
export const useListState = <Row extends { readonly id: number }, Search extends ListSearch>(
  source: ListSource<Row, Search>,
) => {
  const { read, pages, keepOf, usualSize = pageSize } = source;
  const [search, patch] = useSearchState(read);
  const [all, setAll] = useState(false);
  const keep = useMemo(() => keepOf?.(search), [keepOf, search]);
  const { wireSize = pageSize, ...rest } = pages(search);
  const needed = wirePagesFor(search.p ?? 1, search.size ?? usualSize, wireSize);
  const list = usePagedList({ ...rest, wireSize, needed, all: all || keep !== undefined });
  return { search, patch, list, keep, usualSize, onLoadAll: () => setAll(true) };
};
