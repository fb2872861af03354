import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { listGroups } from '@weir/contract/groups';
import { role as roles } from '@weir/contract/roles';
import { createUser, getUser, listUsers, manageUser, searchUsers, updateUser, userStatus } from '@weir/contract/users';
import type { User, userActions } from '@weir/contract/users';
import { call } from '../../lib/api/call.ts';
import type { OnTotal } from '../../lib/api/call.ts';
import { statusWithCapabilities } from '../../lib/api/capabilities.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import { selfQuery } from '../../lib/api/self.ts';
import { currentUser, storeUser } from '../../lib/api/session.ts';
import { m } from '../../paraglide/messages.js';
import type { UsersSearch } from './users-search.ts';

const key = ['users'] as const;

/** The query of the list: a search returns everything, otherwise pages in the server's order. */
export const usersList = ({ q, order }: Pick<UsersSearch, 'q' | 'order'>) => ({
  key: [...key, q ?? '', order ?? ''],
  whole: q !== undefined,
  fetchPage: (page: number, signal: AbortSignal, onTotal?: OnTotal): Promise<User[]> =>
    q === undefined
      ? call(listUsers, { query: { p: page, order: order ?? '' }, signal, onTotal })
      : call(searchUsers, { query: { keyword: q }, signal }),
});

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['user', id],
    queryFn: ({ signal }) => call(getUser, { params: { id }, signal }),
    staleTime: 0,
  });

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(listGroups, { signal }),
});

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key });

/** The request body of the form of a new account (specification §7). */
export type NewUser = Pick<User, 'username' | 'display_name' | 'password'>;

export const create = async (client: QueryClient, user: NewUser): Promise<void> => {
  await call(createUser, { body: user });
  await refresh(client);
};

/** The request body of the edit form of an account. */
export type UserFields = Pick<User, 'username' | 'display_name' | 'password' | 'group' | 'quota'>;

/** Other servers of the contract leave out a quota of 0, and report success. */
const ignoresQuota = async ({ id }: User, { quota }: UserFields): Promise<boolean> => {
  if (quota !== 0 || (await statusWithCapabilities())) return false;
  return (await call(getUser, { params: { id } })).quota !== 0;
};

/** Quota and use are sent as loaded: the server applies the form's change, whatever was spent or credited since. */
export const update = async (client: QueryClient, loaded: User, fields: UserFields): Promise<void> => {
  const { id, used_quota, quota } = loaded;
  await call(updateUser, { body: { id, used_quota, quota_seen: quota, ...fields } });
  client.removeQueries({ queryKey: ['user', id] });
  if (await ignoresQuota(loaded, fields)) throw new Error(m.user_quota_ignored());
  const me = currentUser();
  if (me?.id === id) {
    storeUser({ ...me, username: fields.username, display_name: fields.display_name });
    await client.invalidateQueries({ queryKey: selfQuery.queryKey });
  }
  await refresh(client);
};

export type UserAction = Exclude<(typeof userActions)[number], 'delete'>;

/** The expected result of an action on a row. */
const expected = {
  enable: { status: userStatus.enabled },
  disable: { status: userStatus.disabled },
  promote: { role: roles.admin },
  demote: { role: roles.user },
} as const;

/** Changes an account on screen, then on the server; reverts it if the server refuses. */
export const act = async (client: QueryClient, { id, username }: User, action: UserAction): Promise<void> => {
  const takeBack = patchRow<User>(client, key, id, expected[action]);
  try {
    const { role, status } = await call(manageUser, { body: { username, action } });
    patchRow<User>(client, key, id, { role, status });
    client.removeQueries({ queryKey: ['user', id] });
  } catch (error) {
    takeBack();
    throw error;
  }
};

export const remove = async (client: QueryClient, { id, username }: User): Promise<void> => {
  await call(manageUser, { body: { username, action: 'delete' } });
  patchRow<User>(client, key, id, { deleted: true });
};
