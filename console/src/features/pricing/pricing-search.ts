import { listParams } from '../../lib/lists/list-search.ts';
import { oneOf, searchOf, upTo } from '../../lib/lists/search-params.ts';

/** The search parameters of the price list. */
export const pricingSearch = searchOf({
  ...listParams,
  /** Vendor of the models. */
  maker: upTo(60),
  /** The group whose prices are shown; the administrator's choice. */
  group: upTo(64),
  /** Comma-joined models whose costs are compared beside the list. */
  compare: upTo(2000),
  /** The model whose prices are edited, by the name that upstreams are called with. */
  price: upTo(200),
  /** Prices are imported from a file. */
  import: oneOf(['csv']),
});
export type PricingSearch = ReturnType<typeof pricingSearch>;
