import { listParams } from '../../lib/lists/list-search.ts';
import { searchOf, upTo } from '../../lib/lists/search-params.ts';

/** The address of the price list. */
export const pricingSearch = searchOf({
  ...listParams,
  /** Who made the models. */
  maker: upTo(60),
  /** Whose prices; the administrator's choice. */
  group: upTo(64),
  /** Comma-joined models whose costs are compared beside the list. */
  compare: upTo(2000),
});
export type PricingSearch = ReturnType<typeof pricingSearch>;
