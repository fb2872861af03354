import type { DataOf } from '@weir/contract/endpoint';
import type { getDashboard } from '@weir/contract/users';

type Days = DataOf<typeof getDashboard>;

const daysSeen = 7;
/** Forecasts above this are not useful. */
const daysMax = 999;

/** Days until a balance is used up at the mean of the last 7; undefined: unknown. */
export const daysLeft = (quota: number, days: Days): number | undefined => {
  const spent = days.reduce((sum, { Quota }) => sum + Quota, 0);
  const left = Math.floor((quota * daysSeen) / spent);
  return spent > 0 && left <= daysMax ? left : undefined;
};
