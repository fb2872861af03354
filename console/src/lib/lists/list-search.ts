import type { Patch } from '../hooks/use-search-state.ts';
import { oneOfNumbers, upTo, whole } from './search-params.ts';
import type { SearchOf } from './search-params.ts';

/** Page sizes to choose from; the wire always sends pages of 10. */
export const shownSizes = [10, 20, 50, 100] as const;

/** The search parameters of every list. */
export const listParams = {
  /** Current page, from 1. */
  p: whole(1, 100_000),
  size: oneOfNumbers(shownSizes),
  /** Column id, with `-` in front for descending; absent: the server's order. */
  sort: upTo(40),
  /** Hidden columns, comma-joined; `none` when all show. */
  hide: upTo(300),
  q: upTo(256),
} as const;

/** Reads the search parameters of a list. */
export type ListSearch = SearchOf<typeof listParams>;
export type ListPatch = Patch<ListSearch>;
