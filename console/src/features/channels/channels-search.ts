import { listParams } from '../../lib/list-search.ts';
import { oneOf, searchOf, whole } from '../../lib/search-params.ts';

export const channelViews = ['enabled', 'auto', 'disabled', 'untested', 'slow'] as const;

const typeMax = 1_000_000;

/** The address of the channel list. */
export const channelsSearch = searchOf({ ...listParams, view: oneOf(channelViews), type: whole(0, typeMax) });
export type ChannelsSearch = ReturnType<typeof channelsSearch>;
