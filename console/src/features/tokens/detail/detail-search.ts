import { oneOf, searchOf } from '../../../lib/lists/search-params.ts';
import { rangeIds } from '../../../lib/usage-range.ts';
import { measures } from '../../../lib/measures.ts';

export const detailTabs = ['overview', 'requests', 'connect', 'settings'] as const;

/** The search parameters of a token's page. */
export const detailSearch = searchOf({
  tab: oneOf(detailTabs),
  range: oneOf(rangeIds),
  show: oneOf(measures),
});
export type DetailSearch = ReturnType<typeof detailSearch>;
