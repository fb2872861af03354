import { listParams } from '../../../lib/lists/list-search.ts';
import { oneOf, searchOf, upTo, whole } from '../../../lib/lists/search-params.ts';
import type { Reader } from '../../../lib/lists/search-params.ts';

export const channelViews = ['enabled', 'auto', 'disabled', 'untested', 'slow', 'failing'] as const;

const typeMax = 1_000_000;

/** `<3` keeps channels that took at most 3 s, `>3` slower ones. */
const timeBound: Reader<string> = (raw) => (/^[<>]\d{1,3}(?:\.\d{1,3})?$/.test(raw) ? raw : undefined);

/** The search parameters of the channel list. */
export const channelsSearch = searchOf({
  ...listParams,
  view: oneOf(channelViews),
  type: whole(0, typeMax),
  group: upTo(64),
  model: upTo(256),
  took: timeBound,
});
export type ChannelsSearch = ReturnType<typeof channelsSearch>;
