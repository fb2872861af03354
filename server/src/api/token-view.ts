import type { Token } from '@weir/contract/tokens';
import type { Secrets } from '../store/credentials/secrets.ts';
import { openTokenKey, type TokenRow } from '../store/tokens.ts';

/** Enough of a key to know it again, never enough to call with. */
export const maskedKey = (key: string): string => `${key.slice(0, 3)}…${key.slice(-3)}`;

/** A token as an administrator sees it: the key is its owner's. */
export const toMaskedToken = (row: TokenRow, secrets: Secrets): Token => {
  const token = toToken(row, secrets);
  return { ...token, key: maskedKey(token.key) };
};

/** A token as its owner sees it, the whole key included; holds count as still to spend. */
export const toToken = (row: TokenRow, secrets: Secrets): Token => ({
  id: row.id,
  user_id: row.user_id,
  key: openTokenKey(secrets, row),
  status: row.status,
  name: row.name,
  created_time: row.created_time,
  accessed_time: row.accessed_time,
  expired_time: row.expired_time,
  remain_quota: row.available + row.held,
  unlimited_quota: row.unlimited_quota === 1,
  used_quota: row.used,
  models: row.models,
  subnet: row.subnet,
  overlap_until: row.overlap_until,
  last_address: row.last_address,
  ...(row.member_id > 0 && { member_id: row.member_id }),
});
