import { oneOfNumbers, upTo, whole } from './search-params.ts';
import type { SearchOf } from './search-params.ts';

/** Rows a person may ask to see at once; the wire always carries pages of 10. */
export const shownSizes = [10, 20, 50, 100] as const;

/** Address parameters every list has. */
export const listParams = {
  /** Page on screen, from 1. */
  p: whole(1, 100_000),
  size: oneOfNumbers(shownSizes),
  /** Column id, with `-` in front for descending; absent: the server's order. */
  sort: upTo(40),
  /** Hidden columns, comma-joined; `none` when all show. */
  hide: upTo(300),
  q: upTo(256),
} as const;

/** What a list reads of its address. */
export type ListSearch = SearchOf<typeof listParams>;
export type ListPatch = (changes: { readonly [Key in keyof ListSearch]?: ListSearch[Key] | undefined }) => void;
