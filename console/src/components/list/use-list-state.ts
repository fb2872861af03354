import { pageSize } from '@weir/contract/wire';
import { useMemo, useState } from 'react';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import type { ListSearch } from '../../lib/lists/list-search.ts';
import { usePagedList } from '../../lib/lists/paged-list.ts';
import type { PagedListOptions } from '../../lib/lists/paged-list.ts';
import { wirePagesFor } from '../../lib/lists/pager.ts';

interface ListSource<Row, Search> {
  /** Reads the search parameters of the address. */
  readonly read: (raw: Record<string, unknown>) => Search;
  readonly pages: (search: Search) => Omit<PagedListOptions<Row>, 'needed' | 'all'>;
  /** Filters the loaded rows by criteria that the server does not support; undefined: no filter. */
  readonly keepOf?: (search: Search) => ((row: Row) => boolean) | undefined;
  /** Default rows per page, if the address has no number. */
  readonly usualSize?: number;
}

/** The state of a list that is loaded page by page: the address, the loaded rows and their filter. */
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
