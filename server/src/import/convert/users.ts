import { defaultGroup } from '@weir/contract/groups';
import { role } from '@weir/contract/roles';
import { userStatus } from '@weir/contract/users';
import type { Selectable } from 'kysely';
import { isBcrypt, matchesBcrypt } from '../../http/passwords/bcrypt.ts';
import { openUser } from '../../store/imports/opening-entries.ts';
import type { NewEntry } from '../../store/ledger/accounts-state.ts';
import type { UsersTable } from '../../store/schema.ts';
import { nameKeyOf, readUserName } from '../../store/users/user-names.ts';
import { type RowReader, readRow } from '../source-values.ts';
import type { SourceRow } from '../sources/source.ts';
import { type Conversion, isFirst, noteOf } from './conversion.ts';

type Note = ReturnType<typeof noteOf>;
interface Reading {
  readonly row: RowReader;
  readonly conversion: Conversion;
  readonly note: Note;
}

/** The password that One API gives to root. */
const defaultPassword = '123456';

const isUsual = (name: string): boolean => {
  try {
    return readUserName(name) === name;
  } catch {
    return false;
  }
};

const nameOf = ({ row, conversion, note }: Reading): { readonly username: string; readonly name_key: string } => {
  const given = row.text('username');
  if (given === '') note('name_empty', 'username');
  let username = given === '' ? `imported_${row.id}` : given;
  if (!isFirst(conversion, 'username', username)) {
    note('name_taken', 'username');
    username = `${username}_${row.id}`;
    isFirst(conversion, 'username', username);
  }
  const key = nameKeyOf(username);
  const isShared = conversion.sharedNames.has(key) || !isFirst(conversion, 'name_key', key);
  if (isShared) note('names_alike');
  if (!isUsual(username) && !username.startsWith('deleted_')) note('name_unusual');
  return { username, name_key: isShared ? '' : key };
};

const statusOf = ({ row, note }: Reading): number => {
  if (row.date('deleted_at') !== 0) return userStatus.deleted;
  const status = row.integer('status', userStatus.enabled);
  const isKnown = Object.values<number>(userStatus).includes(status);
  if (!isKnown) note('unknown_status', 'status');
  return isKnown ? status : userStatus.disabled;
};

const passwordOf = async ({ row, note }: Reading, status: number) => {
  const hash = row.text('password').trim();
  const isRoot = row.integer('role', role.user) >= role.root;
  if (status === userStatus.deleted) return { password_hash: isBcrypt(hash) ? hash : '', must_change_password: 0 };
  if (hash === '') note('no_password');
  else if (!isBcrypt(hash)) note('password_unknown', 'password');
  const isDefault = isRoot && isBcrypt(hash) && (await matchesBcrypt(defaultPassword, hash));
  if (isDefault) note('password_default');
  return { password_hash: isBcrypt(hash) ? hash : '', must_change_password: isDefault ? 1 : 0 };
};

/** Accounts elsewhere that no two users may share here; One API's sign-in found the first of them. */
const identitiesOf = ({ row, conversion, note }: Reading, status: number) => {
  const identity = (column: 'wechat_id' | 'lark_id' | 'oidc_id'): string => {
    const value = row.text(column);
    if (value === '' || status === userStatus.deleted || isFirst(conversion, column, value)) return value;
    note('identity_shared', column);
    return '';
  };
  const others = ['telegram_id', 'discord_id', 'linux_do_id'].filter((column) => row.text(column) !== '');
  if (others.length > 0) note('other_sign_in', 'identity');
  return { wechat_id: identity('wechat_id'), lark_id: identity('lark_id'), oidc_id: identity('oidc_id') };
};

/** Codes that find an account. */
const codesOf = ({ row, conversion, note }: Reading) => {
  const code = (column: 'aff_code' | 'access_token'): string => {
    const value = row.key(column);
    if (value === '' || isFirst(conversion, column, value)) return value;
    note('code_shared', column);
    return '';
  };
  const accessToken = code('access_token');
  return {
    aff_code: code('aff_code'),
    access_token_digest: accessToken === '' ? '' : conversion.secrets.digest(accessToken),
  };
};

const balancesOf = ({ row, conversion, note }: Reading) => {
  const used = row.integer('used_quota');
  const balance = row.integer('quota');
  if (used < 0) note('negative_used', 'used_quota');
  if (balance < 0) note('user_debt', 'debt');
  if (row.integer('aff_quota') !== 0) note('aff_quota', 'aff_quota');
  return openUser({ id: row.id, balance, used: Math.max(0, used), at: conversion.at });
};

/** A user with the entries that open its account. */
export const convertUser = async (
  source: SourceRow,
  conversion: Conversion,
): Promise<{ readonly row: Selectable<UsersTable>; readonly entries: readonly NewEntry[] }> => {
  const row = readRow('users', source);
  const note = noteOf(conversion, 'users', row.id, row.text('username'));
  const reading = { row, conversion, note };
  const status = statusOf(reading);
  conversion.userStatus.set(row.id, status);
  const group = row.has('group') ? row.text('group') : defaultGroup;
  conversion.groups.add(group);
  const { entries, available, used } = balancesOf(reading);
  const user: Selectable<UsersTable> = {
    id: row.id,
    ...nameOf(reading),
    display_name: row.text('display_name'),
    is_team: 0,
    ...(await passwordOf(reading, status)),
    role: row.integer('role', role.user),
    status,
    email: row.text('email').trim(),
    github_id: row.text('github_id'),
    github_uid: '',
    ...identitiesOf(reading, status),
    group,
    available,
    held: 0,
    used,
    request_count: row.integer('request_count'),
    ...codesOf(reading),
    inviter_id: row.integer('inviter_id'),
    created_time: row.integer('created_at'),
  };
  return { row: user, entries };
};
