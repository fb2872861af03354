import { rangeIds, usualRange } from '../../lib/usage-range.ts';
import type { RangeId } from '../../lib/usage-range.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Select } from '../form/select.tsx';

const words: Record<RangeId, Message> = {
  today: m.dash_range_today,
  '24h': m.dash_range_24h,
  '7d': m.dash_range_7d,
  '30d': m.dash_range_30d,
  month: m.dash_range_month,
  '90d': m.dash_range_90d,
};

const custom = 'custom';

interface UsageRangeSelectProps {
  /** Undefined: own times. */
  readonly range: RangeId | undefined;
  /** Undefined: the usual one, which no address names. */
  readonly onPick: (range: RangeId | undefined) => void;
  /** Own times are wished for; absent: there are none. */
  readonly onCustom?: () => void;
}

/** How far back use is shown. */
export const UsageRangeSelect = ({ range, onPick, onCustom }: UsageRangeSelectProps) => {
  const t = useT();
  return (
    <Select
      aria-label={t(m.dash_range)}
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
