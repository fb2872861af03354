import { listParams } from '../../lib/lists/list-search.ts';
import { searchOf, upTo } from '../../lib/lists/search-params.ts';

/** The search parameters of the price list. */
export const pricingSearch = searchOf({
  ...listParams,
  /** Vendor of the models. */
  maker: upTo(60),
  /** The group whose prices are shown; the administrator's choice. */
  group: upTo(64),
  /** Comma-joined models whose costs are compared beside the list. */
  compare: upTo(2000),
});
export type PricingSearch = ReturnType<typeof pricingSearch>;
