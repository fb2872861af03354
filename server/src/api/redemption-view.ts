import type { Redemption } from '@weir/contract/redemptions';
import { openRedemptionKey, type RedemptionRow } from '../store/redemptions.ts';
import type { Secrets } from '../store/credentials/secrets.ts';

/** A code as administrators see it, its whole key included. */
export const toRedemption = (row: RedemptionRow, secrets: Secrets): Redemption => ({
  id: row.id,
  user_id: row.user_id,
  key: openRedemptionKey(secrets, row),
  status: row.status,
  name: row.name,
  quota: row.quota,
  created_time: row.created_time,
  redeemed_time: row.redeemed_time,
  count: 0,
});
