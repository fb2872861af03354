import { pageSize } from '@weir/contract/wire';
import { useState } from 'react';
import { usePagedList } from '../../../lib/lists/paged-list.ts';
import { wirePagesFor } from '../../../lib/lists/pager.ts';
import { useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { isFiltered } from '../channel-status.ts';
import { channelsSearch } from './channels-search.ts';
import { ChannelsList } from './channels-list.tsx';
import { channelsList } from '../queries.ts';

/** `/channel` */
export const ChannelsScreen = () => {
  const [search, patch] = useSearchState(channelsSearch);
  const [all, setAll] = useState(false);
  const list = usePagedList({
    ...channelsList(search),
    needed: wirePagesFor(search.p ?? 1, search.size ?? pageSize, pageSize),
    all: all || isFiltered(search),
  });
  return <ChannelsList list={list} search={search} patch={patch} onLoadAll={() => setAll(true)} />;
};
