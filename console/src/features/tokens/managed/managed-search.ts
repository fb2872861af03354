import { listParams } from '../../../lib/lists/list-search.ts';
import { searchOf } from '../../../lib/lists/search-params.ts';

/** The search parameters of the tokens of a user. */
export const managedSearch = searchOf(listParams);
