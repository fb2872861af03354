import { pageSize } from '@weir/contract/wire';
import { useState } from 'react';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import { usePagedList } from '../../lib/lists/paged-list.ts';
import { wirePagesFor } from '../../lib/lists/pager.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { usersList } from './queries.ts';
import { UsersList } from './users-list.tsx';
import { usersSearch } from './users-search.ts';

/** The list of accounts. */
export const UsersScreen = () => (
  <ListUnderSheet path="/user">
    <LoadedList />
  </ListUnderSheet>
);

const LoadedList = () => {
  const [search, patch] = useSearchState(usersSearch);
  const [all, setAll] = useState(false);
  const list = usePagedList({
    ...usersList(search),
    needed: wirePagesFor(search.p ?? 1, search.size ?? pageSize, pageSize),
    all,
  });
  return <UsersList list={list} search={search} patch={patch} onLoadAll={() => setAll(true)} />;
};
