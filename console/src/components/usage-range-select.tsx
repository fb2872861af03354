import { rangeIds, usualRange } from '../lib/usage-range.ts';
import type { RangeId } from '../lib/usage-range.ts';
import { useT } from '../lib/use-t.ts';
import type { Message } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { Select } from './select.tsx';

const words: Record<RangeId, Message> = {
  '24h': m.dash_range_24h,
  '7d': m.dash_range_7d,
  '30d': m.dash_range_30d,
  '90d': m.dash_range_90d,
};

interface UsageRangeSelectProps {
  readonly range: RangeId;
  /** Undefined: the usual one, which no address names. */
  readonly onPick: (range: RangeId | undefined) => void;
}

/** How far back use is shown. */
export const UsageRangeSelect = ({ range, onPick }: UsageRangeSelectProps) => {
  const t = useT();
  return (
    <Select
      aria-label={t(m.dash_range)}
      value={range}
      choices={rangeIds.map((id) => [id, t(words[id])] as const)}
      onPick={(picked) => onPick(picked === usualRange ? undefined : picked)}
    />
  );
};
