import type { ErrorCounts } from '@weir/contract/usage';
import { slotSeconds, sumChannelAttempts } from '../../store/channels/channel-health.ts';
import type { Database } from '../../store/database.ts';

const hourSeconds = 3600;
const dayHours = 24;
const slotsPerHour = hourSeconds / slotSeconds;

type Counted = ErrorCounts['before'];

const sumOf = (counts: readonly Counted[]): Counted => ({
  succeeded: counts.reduce((sum, each) => sum + each.succeeded, 0),
  failed: counts.reduce((sum, each) => sum + each.failed, 0),
});

/** Outcomes of attempts on all channels, from what all nodes have stored. */
export const readErrorCounts = async (db: Database, nowSeconds: number): Promise<ErrorCounts> => {
  const first = Math.floor(nowSeconds / hourSeconds) - dayHours + 1;
  const counts = await sumChannelAttempts(db, (first - dayHours) * slotsPerHour);
  const byHour = Map.groupBy(counts, ({ slot }) => Math.floor(slot / slotsPerHour));
  const hours = Array.from({ length: dayHours }, (_, index) => ({
    at: (first + index) * hourSeconds,
    ...sumOf(byHour.get(first + index) ?? []),
  }));
  const before = sumOf(counts.filter(({ slot }) => slot < first * slotsPerHour));
  return { ...sumOf(hours), before, hours };
};
