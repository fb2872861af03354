import { can } from '@weir/contract/roles';
import type { Access } from '@weir/contract/endpoint';
import type { SignedInUser } from '@weir/contract/users';
import { asText } from '../format/as-text.ts';
import { isRecord } from '../is-record.ts';
import { readJson, removeText, writeText } from '../browser/storage.ts';
import { createStore, useStore } from '../store.ts';

/** The stored data of the signed-in user. */
export type SessionUser = Pick<
  SignedInUser,
  'id' | 'username' | 'display_name' | 'role' | 'status' | 'must_change_password'
>;

const readUser = (): SessionUser | undefined => {
  const stored = readJson('user');
  if (!isRecord(stored) || typeof stored['username'] !== 'string' || typeof stored['role'] !== 'number')
    return undefined;
  const { username, role } = stored;
  return {
    id: Number(stored['id'] ?? 0),
    username,
    role,
    display_name: asText(stored['display_name']) ?? username,
    status: Number(stored['status'] ?? 1),
    must_change_password: stored['must_change_password'] === true,
  };
};

const session = createStore(readUser());

export const currentUser = session.get;
export const useUser = (): SessionUser | undefined => useStore(session);

export const storeUser = (user: SessionUser): void => {
  writeText('user', JSON.stringify(user));
  session.set(user);
};

export const forgetUser = (): void => {
  removeText('user');
  session.set(undefined);
};

/** Whether the signed-in user has the required `access`. */
export const mayI = (access: Access): boolean => can(session.get()?.role, access);

/** Reloads the page once another tab has signed out, or signed in with another account. */
export const followOtherTabs = (): void =>
  addEventListener('storage', ({ key }) => {
    if ((key === 'user' || key === null) && readUser()?.id !== session.get()?.id) location.reload();
  });
