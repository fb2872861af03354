import { redemptionStatus } from '@weir/contract/redemptions';
import type { Selectable } from 'kysely';
import { openUsedCode } from '../../store/imports/opening-entries.ts';
import type { NewEntry } from '../../store/ledger/accounts-state.ts';
import { redemptionKeyColumns } from '../../store/redemptions.ts';
import type { RedemptionsTable } from '../../store/schema.ts';
import { readRow } from '../source-values.ts';
import type { SourceRow } from '../sources/source.ts';
import { type Conversion, isFirst, noteOf } from './conversion.ts';

const { unused, disabled, used } = redemptionStatus;

/** A redemption code, used ones with the entry that says so; undefined: it stays behind. */
export const convertRedemption = (
  source: SourceRow,
  conversion: Conversion,
): { readonly row: Selectable<RedemptionsTable>; readonly entries: readonly NewEntry[] } | undefined => {
  const row = readRow('redemptions', source);
  const note = noteOf(conversion, 'redemptions', row.id, row.text('name'));
  const key = row.key('key');
  if (key === '' || !isFirst(conversion, 'code', key)) {
    note(key === '' ? 'empty_key' : 'key_taken');
    return undefined;
  }
  const given = row.integer('status', unused);
  const quota = row.integer('quota');
  const isKnown = given === unused || given === disabled || given === used;
  if (!isKnown) note('unknown_status', 'status');
  let status = isKnown ? given : disabled;
  if (status === unused && quota < 0) {
    note('code_negative', 'status');
    status = disabled;
  }
  if (status === used) note('redeemed_by');
  const deletedTime = row.date('deleted_at');
  const columns = redemptionKeyColumns(conversion.secrets, key);
  return {
    row: {
      id: row.id,
      user_id: row.integer('user_id'),
      key_digest: columns.key_digest,
      key_sealed: deletedTime === 0 ? columns.key_sealed : '',
      status,
      name: row.text('name'),
      quota,
      created_time: row.integer('created_time'),
      redeemed_time: row.integer('redeemed_time'),
      redeemed_user_id: 0,
      deleted_time: deletedTime,
    },
    entries: status === used ? [openUsedCode({ id: row.id, quota, at: conversion.at })] : [],
  };
};
