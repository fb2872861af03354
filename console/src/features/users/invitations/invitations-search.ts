import { listParams } from '../../../lib/lists/list-search.ts';
import { searchOf } from '../../../lib/lists/search-params.ts';

/** The search parameters of the list of invitations. */
export const invitationsSearch = searchOf(listParams);
export type InvitationsSearch = ReturnType<typeof invitationsSearch>;
