import { listParams } from '../../lib/lists/list-search.ts';
import { searchOf } from '../../lib/lists/search-params.ts';

/** The search parameters of the list of runs. */
export const runsSearch = searchOf(listParams);
export type RunsSearch = ReturnType<typeof runsSearch>;
