import { Outlet, useLocation } from '@tanstack/react-router';
import { pageSize } from '@weir/contract/wire';
import { Suspense, lazy, useState } from 'react';
import { usePhone } from '../../lib/use-media.ts';
import { wirePagesFor } from '../../lib/pager.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { useSearchState } from '../../lib/use-search-state.ts';
import { tokensList } from './queries.ts';
import { tokensSearch } from './tokens-search.ts';
import { TokensList } from './tokens-list.tsx';

const Sheet = lazy(async () => ({ default: (await import('../../components/route-sheet.tsx')).RouteSheet }));

const listPath = '/token';

/** The list of keys; its form opens as a sheet over it, or alone when its address was opened directly or on a phone. */
export const TokensScreen = () => {
  const { pathname } = useLocation();
  const onList = pathname.replace(/\/$/, '') === listPath;
  const [listSeen, setListSeen] = useState(onList);
  if (onList && !listSeen) setListSeen(true);
  const phone = usePhone();
  if (!onList && (phone || !listSeen)) return <Outlet />;
  return (
    <>
      <LoadedList />
      {!onList && (
        <Suspense>
          <Sheet back={listPath}>
            <Outlet />
          </Sheet>
        </Suspense>
      )}
    </>
  );
};

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
