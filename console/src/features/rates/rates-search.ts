import { listParams } from '../../lib/lists/list-search.ts';
import { searchOf } from '../../lib/lists/search-params.ts';

/** The search parameters of the list of rate limits. */
export const ratesSearch = searchOf(listParams);
export type RatesSearch = ReturnType<typeof ratesSearch>;
