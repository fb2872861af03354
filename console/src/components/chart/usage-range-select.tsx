import { rangeIds, usualRange } from '../../lib/usage-range.ts';
import type { RangeId } from '../../lib/usage-range.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Select } from '../form/select.tsx';

const words: Record<RangeId, Message> = {
  today: m.dash_range_today,
  yesterday: m.dash_range_yesterday,
  '24h': m.dash_range_24h,
  '7d': m.dash_range_7d,
  '30d': m.dash_range_30d,
  month: m.dash_range_month,
  'last-month': m.dash_range_last_month,
  '90d': m.dash_range_90d,
};

const custom = 'custom';

interface UsageRangeSelectProps {
  /** Undefined: custom times. */
  readonly range: RangeId | undefined;
  /** Undefined: the default range, which is not in the address. */
  readonly onPick: (range: RangeId | undefined) => void;
  /** Called to enter custom times; absent: not offered. */
  readonly onCustom?: () => void;
  readonly className?: string;
}

/** The time range of a usage chart. */
export const UsageRangeSelect = ({ range, onPick, onCustom, className }: UsageRangeSelectProps) => {
  const t = useT();
  return (
    <Select
      aria-label={t(m.dash_range)}
      className={className}
      value={range ?? custom}
      choices={[
        ...rangeIds.map((id) => [id, t(words[id])] as const),
        ...(onCustom ? [[custom, t(m.dash_range_custom)] as const] : []),
      ]}
      onPick={(picked) => {
        if (picked === custom) onCustom?.();
        else onPick(picked === usualRange ? undefined : picked);
      }}
    />
  );
};
