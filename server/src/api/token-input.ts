import type { BodyOf } from '@weir/contract/endpoint';
import { neverExpires, tokenStatus, type updateToken } from '@weir/contract/tokens';
import { AppError } from '../errors.ts';
import { findBadSubnet } from '../http/subnet.ts';
import type { TokenChange, TokenRow } from '../store/tokens.ts';

export type TokenUpdate = BodyOf<typeof updateToken>;

/** Some consoles send 0 for never. */
export const readExpiry = (expiredTime: number): number => (expiredTime === 0 ? neverExpires : expiredTime);

export const checkSubnet = (subnet: string | null | undefined): void => {
  const wrong = findBadSubnet(subnet ?? '');
  if (wrong !== undefined) throw new AppError('token_subnet_invalid', { subnet: wrong });
};

/** Refuses to enable a token whose stored row says that it cannot work (wire contract 2.6). `now`: unix seconds. */
export const checkEnabling = (row: TokenRow, now: number): void => {
  const expired = row.expired_time !== neverExpires && row.expired_time <= now;
  if (row.status === tokenStatus.expired && expired) throw new AppError('token_expired');
  const empty = row.unlimited_quota === 0 && row.available + row.held <= 0;
  if (row.status === tokenStatus.exhausted && empty) throw new AppError('token_exhausted');
};

/** The column of a status-only update; an absent status changes nothing. */
export const readStatus = (status: number | undefined): TokenChange => {
  if (status === undefined) return {};
  if (status === tokenStatus.enabled || status === tokenStatus.disabled) return { status };
  throw new AppError('status_invalid');
};

/** The columns that an update sets; absent and null members stay as they are. */
export const readUpdate = ({ name, expired_time: expiredTime, models, subnet }: TokenUpdate): TokenChange => ({
  ...(name === undefined ? {} : { name }),
  ...(expiredTime === undefined ? {} : { expired_time: readExpiry(expiredTime) }),
  ...(models === undefined || models === null ? {} : { models }),
  ...(subnet === undefined || subnet === null ? {} : { subnet }),
});
