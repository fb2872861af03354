import { listParams } from '../../lib/lists/list-search.ts';
import { oneOfNumbers, searchOf, upTo, whole } from '../../lib/lists/search-params.ts';

/** The search parameters of the comparison with a vendor's bills. */
export const billsSearch = searchOf({
  ...listParams,
  /** Channel type. */
  vendor: whole(1, 1_000_000),
  /** UTC days as `2026-11-24`. */
  from: upTo(10),
  to: upTo(10),
  /** Only rows that need a look. */
  flagged: oneOfNumbers([1]),
});
export type BillsSearch = ReturnType<typeof billsSearch>;
