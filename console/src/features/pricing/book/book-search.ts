import { listParams } from '../../../lib/lists/list-search.ts';
import { oneOf, searchOf, upTo } from '../../../lib/lists/search-params.ts';

/** Which differences of a price book are listed. */
export const bookViews = ['affected', 'dearer', 'cheaper', 'new', 'gone'] as const;
export type BookView = (typeof bookViews)[number];

/** The search parameters of the differences of a price book. */
export const bookSearch = searchOf({
  ...listParams,
  /** Absent: all. */
  view: oneOf(bookViews),
  /** Vendor of the price book. */
  vendor: upTo(40),
});
export type BookSearch = ReturnType<typeof bookSearch>;
