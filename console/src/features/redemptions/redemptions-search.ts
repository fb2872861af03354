import { listParams } from '../../lib/lists/list-search.ts';
import { oneOf, searchOf } from '../../lib/lists/search-params.ts';

export const redemptionViews = ['unused', 'disabled', 'used'] as const;

/** The search parameters of the list of codes. */
export const redemptionsSearch = searchOf({ ...listParams, view: oneOf(redemptionViews) });
export type RedemptionsSearch = ReturnType<typeof redemptionsSearch>;
