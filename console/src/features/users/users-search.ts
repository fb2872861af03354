import { userOrders } from '@weir/contract/users';
import { listParams } from '../../lib/lists/list-search.ts';
import { oneOf, searchOf } from '../../lib/lists/search-params.ts';

/** The search parameters of the user list. */
export const usersSearch = searchOf({
  ...listParams,
  order: oneOf(userOrders.filter((order) => order !== '')),
});
export type UsersSearch = ReturnType<typeof usersSearch>;
