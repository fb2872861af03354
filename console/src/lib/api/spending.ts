import { queryOptions } from '@tanstack/react-query';
import type { DataOf } from '@weir/contract/endpoint';
import { getDashboard } from '@weir/contract/users';
import { call } from './call.ts';

type Days = DataOf<typeof getDashboard>;

/** The own spend of the last seven days. */
export const spendingQuery = queryOptions({
  queryKey: ['spending'],
  queryFn: ({ signal }) => call(getDashboard, { signal }),
  // Other servers of the contract may not support it: the balance is shown without a forecast then.
  retry: false,
});

const daysSeen = 7;
/** Forecasts above this are not useful. */
const daysMax = 999;

/** Days until a balance is used up at the mean of the last 7; undefined: unknown. */
export const daysLeft = (quota: number, days: Days): number | undefined => {
  const spent = days.reduce((sum, { Quota }) => sum + Quota, 0);
  const left = Math.floor((quota * daysSeen) / spent);
  return spent > 0 && left <= daysMax ? left : undefined;
};
