import { listParams } from '../../lib/lists/list-search.ts';
import { searchOf } from '../../lib/lists/search-params.ts';

/** The search parameters of the list of teams. */
export const teamsSearch = searchOf(listParams);
export type TeamsSearch = ReturnType<typeof teamsSearch>;
