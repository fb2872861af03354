import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@weir/contract/users';
import { useMemo } from 'react';
import { AddLink } from '../../components/list/add-link.tsx';
import type { ButtonLook } from '../../components/button.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import type { BulkAction } from '../../components/table/data-table-types.ts';
import { Empty } from '../../components/empty.tsx';
import { ListToolbar } from '../../components/list/list-toolbar.tsx';
import { ListFacts } from '../../components/list/list-tools.tsx';
import { NoMatch } from '../../components/list/no-match.tsx';
import { confirm } from '../../components/overlay/overlays.ts';
import { PageHead } from '../../components/page-head.tsx';
import { RefreshButton } from '../../components/list/refresh-button.tsx';
import { Select } from '../../components/form/select.tsx';
import type { PagedList } from '../../lib/lists/paged-list.ts';
import { useUser } from '../../lib/api/session.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { userColumns } from './columns.tsx';
import { act, remove } from './queries.ts';
import { useUserActions } from './use-user-actions.ts';
import { userEntries } from './user-entries.ts';
import type { UsersSearch } from './users-search.ts';

interface UsersListProps {
  readonly list: PagedList<User>;
  readonly search: UsersSearch;
  readonly patch: Patch<UsersSearch>;
  readonly onLoadAll: () => void;
}

const useBulk = (): readonly BulkAction<User>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'play', run: (user) => act(client, user, 'enable') },
      { text: m.disable, icon: 'pause', run: (user) => act(client, user, 'disable') },
      {
        text: m.delete,
        icon: 'trash',
        danger: true,
        run: (user) => remove(client, user),
        allow: (users) =>
          confirm({
            title: m.user_delete_many_title({ count: users.length }),
            text: m.user_delete_many_text(),
            verb: m.user_delete(),
            danger: true,
            list: users.map(({ username }) => username),
          }),
      },
    ],
    [client],
  );
};

export const UsersList = (props: UsersListProps) => {
  const { list, search, patch, onLoadAll } = props;
  const t = useT();
  const mine = useUser()?.role ?? 0;
  const actions = useUserActions();
  const bulk = useBulk();
  const add = (look: ButtonLook) => <AddLink href="/user/add" text={t(m.user_add)} look={look} />;
  const clear = (): void => patch({ q: undefined, p: undefined });
  return (
    <>
      <PageHead title={t(m.user_title)} facts={<ListFacts list={list} />}>
        {add('primary')}
      </PageHead>
      <Toolbar {...props} />
      <DataTable
        name="users"
        label={t(m.user_title)}
        columns={userColumns}
        list={list}
        search={search}
        patch={patch}
        nameOf={({ username }) => username}
        onOpen={actions.edit}
        entriesOf={(user) => userEntries(user, { actions, mine, t })}
        bulk={bulk}
        onLoadAll={onLoadAll}
        empty={<Empty icon="users" title={t(m.user_empty_title)} text={t(m.user_empty_text)} />}
        noMatch={
          <NoMatch
            title={t(m.user_none_title)}
            filters={[search.q && t(m.searched_for, { text: search.q })]}
            onClear={clear}
          />
        }
        footer={
          <>
            {add('plain')}
            <RefreshButton list={list} />
          </>
        }
      />
    </>
  );
};

const Toolbar = ({ list, search, patch }: UsersListProps) => {
  const t = useT();
  return (
    <ListToolbar
      name="users"
      columns={userColumns}
      list={list}
      search={search}
      patch={patch}
      searchLabel={t(m.user_search)}
    >
      <Select
        aria-label={t(m.order)}
        value={search.order ?? ''}
        choices={[
          ['', t(m.order_default)],
          ['quota', t(m.user_order_quota)],
          ['used_quota', t(m.user_order_used)],
          ['request_count', t(m.user_order_requests)],
        ]}
        className="max-md:min-w-0 max-md:basis-40 max-md:grow"
        onPick={(order) => patch({ order: order || undefined, p: undefined })}
      />
    </ListToolbar>
  );
};
