import type { KeyPreset, KeyPresetInput } from '@weir/contract/invitations/key-presets';
import { presetDaysMax } from '@weir/contract/invitations/key-presets';
import { neverExpires } from '@weir/contract/tokens';
import { splitList } from '../../../lib/format/format.ts';
import type { TokenValues } from '../form/token-values.ts';
import type { TokenFields } from '../queries.ts';

const daySeconds = 86_400;

/** The form of a new token as a preset fills it in. Its expiry counts from now. */
export const valuesByPreset = ({
  name,
  remain_quota: quota,
  unlimited_quota: unlimited,
  days,
  models,
  subnet,
}: KeyPreset): TokenValues => ({
  name,
  quota,
  unlimited,
  expiry: days === 0 ? '' : `+${days}d`,
  models: splitList(models),
  subnet: splitList(subnet).join('\n'),
});

/** The preset of a token's form: its expiry as days from now. */
export const presetOf = ({ expired_time: expires, ...fields }: TokenFields, nowMs: number): KeyPresetInput => ({
  ...fields,
  days:
    expires === neverExpires
      ? 0
      : Math.min(presetDaysMax, Math.max(1, Math.round((expires - nowMs / 1000) / daySeconds))),
});
