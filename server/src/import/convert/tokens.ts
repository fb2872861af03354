import { neverExpires, tokenStatus } from '@weir/contract/tokens';
import { userStatus } from '@weir/contract/users';
import type { Selectable } from 'kysely';
import { isRange } from '../../http/ranges.ts';
import { findBadSubnet } from '../../http/subnet.ts';
import { openToken } from '../../store/imports/opening-entries.ts';
import type { NewEntry } from '../../store/ledger/accounts-state.ts';
import type { TokensTable } from '../../store/token-tables.ts';
import { tokenKeyColumns } from '../../store/tokens.ts';
import { type RowReader, readRow } from '../source-values.ts';
import type { SourceRow } from '../sources/source.ts';
import { type Conversion, isFirst, noteOf } from './conversion.ts';

type Note = ReturnType<typeof noteOf>;

/** The key, or undefined where it cannot have been used. */
const keyOf = (row: RowReader, conversion: Conversion, note: Note): string | undefined => {
  const key = row.key('key');
  if (key === '') note('empty_key');
  else if (!isFirst(conversion, 'token key', key)) note('key_taken');
  else {
    if (/[\s-]/.test(key)) note('key_unusable');
    else if (!/^[0-9A-Za-z]{48}$/.test(key)) note('key_unusual');
    return key;
  }
  return undefined;
};

/** New API has addresses line by line, which may be ranges. */
const rangesIn = (text: string): string =>
  text
    .split(/[\n,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (part.includes('/') || !isRange(part) ? part : `${part}/${part.includes(':') ? 128 : 32}`))
    .join(',');

const limitsOf = (row: RowReader, { isNewApi }: Conversion, note: Note) => {
  const models = isNewApi ? (row.flag('model_limits_enabled') ? row.text('model_limits') : '') : row.text('models');
  const subnet = isNewApi ? rangesIn(row.text('allow_ips')) : row.text('subnet').trim();
  if (subnet !== '') note('subnet');
  if (findBadSubnet(subnet) !== undefined) note('subnet_invalid');
  if (isNewApi && row.text('group') !== '') note('token_group', 'group');
  return { models, subnet };
};

const statusOf = (row: RowReader, note: Note): number => {
  const status = row.integer('status', tokenStatus.enabled);
  const isKnown = Object.values<number>(tokenStatus).includes(status);
  if (!isKnown) note('unknown_status', 'status');
  return isKnown ? status : tokenStatus.disabled;
};

const noteOwner = (status: number, note: Note): void => {
  if (status === userStatus.deleted) note('deleted_user_keys');
  if (status === userStatus.disabled) note('disabled_user_keys');
};

const balancesOf = (row: RowReader, userId: number, { conversion, note }: { conversion: Conversion; note: Note }) => {
  const used = row.integer('used_quota');
  const balance = row.integer('remain_quota');
  if (used < 0) note('negative_used', 'used_quota');
  if (balance < 0) note(row.flag('unlimited_quota') ? 'unlimited_negative' : 'token_overdrawn', 'debt');
  return openToken({ id: row.id, userId, balance, used: Math.max(0, used), at: conversion.at });
};

/** A token with the entries of its allocation; undefined: it stays behind. */
export const convertToken = (
  source: SourceRow,
  conversion: Conversion,
): { readonly row: Selectable<TokensTable>; readonly entries: readonly NewEntry[] } | undefined => {
  const row = readRow('tokens', source);
  const note = noteOf(conversion, 'tokens', row.id, row.text('name'));
  const userId = row.integer('user_id');
  const ownerStatus = conversion.userStatus.get(userId);
  if (ownerStatus === undefined) {
    note('orphan_token');
    return undefined;
  }
  const key = keyOf(row, conversion, note);
  if (key === undefined) return undefined;
  noteOwner(ownerStatus, note);
  const { entries, available, used } = balancesOf(row, userId, { conversion, note });
  const deletedTime = row.date('deleted_at');
  const columns = tokenKeyColumns(conversion.secrets, key);
  const token: Selectable<TokensTable> = {
    id: row.id,
    user_id: userId,
    key_digest: columns.key_digest,
    key_sealed: deletedTime === 0 ? columns.key_sealed : '',
    status: statusOf(row, note),
    name: row.text('name'),
    created_time: row.integer('created_time'),
    accessed_time: row.integer('accessed_time'),
    last_address: '',
    overlap_until: 0,
    expired_time: row.integer('expired_time', neverExpires),
    unlimited_quota: row.flag('unlimited_quota') ? 1 : 0,
    available,
    held: 0,
    used,
    ...limitsOf(row, conversion, note),
    deleted_time: deletedTime,
    member_id: 0,
  };
  return { row: token, entries };
};
