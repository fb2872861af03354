import { tokenOrders } from '@weir/contract/tokens';
import { listParams } from '../../../lib/lists/list-search.ts';
import { oneOf, searchOf } from '../../../lib/lists/search-params.ts';

export const tokenViews = ['enabled', 'expiring', 'exhausted'] as const;

/** The search parameters of the token list. */
export const tokensSearch = searchOf({
  ...listParams,
  order: oneOf(tokenOrders.filter((order) => order !== '')),
  view: oneOf(tokenViews),
});
export type TokensSearch = ReturnType<typeof tokensSearch>;
