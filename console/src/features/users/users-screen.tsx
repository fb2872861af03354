import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@weir/contract/users';
import { useMemo } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { ListOrder } from '../../components/list/list-toolbar.tsx';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import { bulkRemoval } from '../../components/list/row-actions.ts';
import { useListState } from '../../components/list/use-list-state.ts';
import type { BulkAction } from '../../components/table/data-table-types.ts';
import { hasCapabilities } from '../../lib/api/capabilities.ts';
import { currentStatus } from '../../lib/api/status.ts';
import { useUser } from '../../lib/api/session.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { userColumns } from './columns.tsx';
import { act, remove, usersList } from './queries.ts';
import { useUserActions } from './use-user-actions.ts';
import { userEntries } from './user-entries.ts';
import { usersSearch } from './users-search.ts';

const texts = {
  title: m.user_title,
  search: m.user_search,
  empty: [m.user_empty_title, m.user_empty_text],
  noMatch: m.user_none_title,
} as const;

const orderLabels = {
  quota: m.user_order_quota,
  used_quota: m.user_order_used,
  request_count: m.user_order_requests,
} as const;

const source = { read: usersSearch, pages: usersList };

const useBulk = (): readonly BulkAction<User>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'play', run: (user) => act(client, user, 'enable') },
      { text: m.disable, icon: 'pause', run: (user) => act(client, user, 'disable') },
      bulkRemoval({
        title: m.user_delete_many_title,
        text: m.user_delete_many_text,
        verb: m.user_delete,
        nameOf: ({ username }) => username,
        run: (user) => remove(client, user),
      }),
    ],
    [client],
  );
};

/** `/user` */
export const UsersScreen = () => (
  <ListUnderSheet path="/user">
    <UsersList />
  </ListUnderSheet>
);

const UsersList = () => {
  const t = useT();
  const mine = useUser()?.role ?? 0;
  const state = useListState(source);
  const { search, patch } = state;
  const actions = useUserActions();
  const bulk = useBulk();
  return (
    <ListScreen
      name="users"
      icon="users"
      texts={texts}
      state={state}
      columns={userColumns}
      add={{ href: '/user/add', text: m.user_add }}
      filters={
        <ListOrder labels={orderLabels} current={search.order} onPick={(order) => patch({ order, p: undefined })} />
      }
      footer={
        hasCapabilities(currentStatus()) && (
          <>
            <a className={buttonClass('plain')} href="/user/new-keys">
              {t(m.token_many_title)}
            </a>
            <a className={buttonClass('plain')} href="/user/find-key">
              {t(m.token_find)}
            </a>
          </>
        )
      }
      nameOf={({ username }) => username}
      onOpen={actions.edit}
      entriesOf={(user) => userEntries(user, { actions, mine, t })}
      bulk={bulk}
    />
  );
};
