import { pageSize } from '@weir/contract/wire';
import { useState } from 'react';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import { usePagedList } from '../../lib/lists/paged-list.ts';
import { wirePagesFor } from '../../lib/lists/pager.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { redemptionsList } from './queries.ts';
import { RedemptionsList } from './redemptions-list.tsx';
import { redemptionsSearch } from './redemptions-search.ts';

/** The list of redemption codes. */
export const RedemptionsScreen = () => (
  <ListUnderSheet path="/redemption">
    <LoadedList />
  </ListUnderSheet>
);

const LoadedList = () => {
  const [search, patch] = useSearchState(redemptionsSearch);
  const [all, setAll] = useState(false);
  const list = usePagedList({
    ...redemptionsList(search),
    needed: wirePagesFor(search.p ?? 1, search.size ?? pageSize, pageSize),
    all: all || search.view !== undefined,
  });
  return <RedemptionsList list={list} search={search} patch={patch} onLoadAll={() => setAll(true)} />;
};
