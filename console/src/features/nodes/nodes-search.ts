import { listParams } from '../../lib/lists/list-search.ts';
import { searchOf } from '../../lib/lists/search-params.ts';

/** The search parameters of the list of nodes. */
export const nodesSearch = searchOf(listParams);
export type NodesSearch = ReturnType<typeof nodesSearch>;
