import { pageSize } from '@weir/contract/wire';
import { useState } from 'react';
import { ListUnderSheet } from '../../../components/list/list-under-sheet.tsx';
import { wirePagesFor } from '../../../lib/lists/pager.ts';
import { usePagedList } from '../../../lib/lists/paged-list.ts';
import { useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { tokensList } from '../queries.ts';
import { tokensSearch } from './tokens-search.ts';
import { TokensList } from './tokens-list.tsx';

/** The list of keys. */
export const TokensScreen = () => (
  <ListUnderSheet path="/token">
    <LoadedList />
  </ListUnderSheet>
);

const LoadedList = () => {
  const [search, patch] = useSearchState(tokensSearch);
  const [all, setAll] = useState(false);
  const list = usePagedList({
    ...tokensList(search),
    needed: wirePagesFor(search.p ?? 1, search.size ?? pageSize, pageSize),
    all: all || search.view !== undefined,
  });
  return <TokensList list={list} search={search} patch={patch} onLoadAll={() => setAll(true)} />;
};
