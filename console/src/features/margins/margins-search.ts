import { marginDimensions } from '@weir/contract/margins';
import { listParams } from '../../lib/lists/list-search.ts';
import { oneOf, searchOf, upTo, whole } from '../../lib/lists/search-params.ts';
import { rangeIds } from '../../lib/usage-range.ts';

const secondsMax = 253_402_300_799;

/** The search parameters of revenue and cost. */
export const marginsSearch = searchOf({
  ...listParams,
  range: oneOf(rangeIds),
  /** Custom times, both inclusive; they override a range. */
  from: whole(1, secondsMax),
  to: whole(1, secondsMax),
  by: oneOf(marginDimensions),
  /** Only the calls of this model, or of the channel with this number. */
  model: upTo(256),
  channel: whole(1, Number.MAX_SAFE_INTEGER),
});
export type MarginsSearch = ReturnType<typeof marginsSearch>;
