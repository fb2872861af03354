import { neverExpires } from '@weir/contract/tokens';
import { formatTime, splitList } from '../../../lib/format/format.ts';
import { parseTime } from '../../../lib/format/parse-time.ts';
import type { TokenFields } from '../queries.ts';
import { readSubnets } from './subnets.ts';

/** The form as it is being filled in. */
export interface TokenValues {
  readonly name: string;
  /** Quota units; NaN if the text is no whole number. */
  readonly quota: number;
  readonly unlimited: boolean;
  /** A time as typed; empty: never. */
  readonly expiry: string;
  /** Models that the token may use; none: all. */
  readonly models: readonly string[];
  /** Networks as typed; empty: from everywhere. */
  readonly subnet: string;
  readonly [more: string]: unknown;
}

export const valuesOf = (fields: TokenFields): TokenValues => ({
  name: fields.name,
  quota: fields.remain_quota,
  unlimited: fields.unlimited_quota,
  expiry: fields.expired_time === neverExpires ? '' : formatTime(fields.expired_time),
  models: splitList(fields.models),
  subnet: splitList(fields.subnet).join('\n'),
});

export type TokenProblem = 'quota' | 'expiry' | 'past' | 'subnet';

/** The request body of the form, or its errors; a time that the form opened with may be past. */
export const fieldsOf = (values: TokenValues, nowMs: number, opened = ''): TokenFields | TokenProblem => {
  const { quota, unlimited } = values;
  const expiry = values.expiry.trim();
  if (!unlimited && (!Number.isSafeInteger(quota) || quota < 0)) return 'quota';
  const expiredTime = expiry === '' || expiry === String(neverExpires) ? neverExpires : parseTime(expiry, nowMs);
  if (expiredTime === undefined) return 'expiry';
  const isPast = expiredTime !== neverExpires && expiredTime * 1000 <= nowMs;
  if (isPast && expiry !== opened.trim()) return 'past';
  const subnets = readSubnets(values.subnet);
  if (subnets === undefined) return 'subnet';
  return {
    name: values.name.trim(),
    remain_quota: Number.isSafeInteger(quota) ? quota : 0,
    expired_time: expiredTime,
    unlimited_quota: unlimited,
    models: values.models.join(','),
    subnet: subnets.join(','),
  };
};
