/** Ranges that count back from now, and closed ones before; `7d` is the default, for an address without a range. */
export const rangeIds = ['today', 'yesterday', '24h', '7d', '30d', 'month', 'last-month', '90d'] as const;
export type RangeId = (typeof rangeIds)[number];
export const usualRange: RangeId = '7d';

export const daySeconds = 86_400;
const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const;

const midnightOf = (unixSeconds: number, daysBefore = 0): number => {
  const day = new Date(unixSeconds * 1000);
  return Math.floor(new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).getTime() / 1000);
};

const monthOf = (unixSeconds: number, monthsBefore = 0): number => {
  const now = new Date(unixSeconds * 1000);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBefore) / 1000;
};

/** Days are the server's: UTC. A range of days begins with a whole one, so that no bar shows a part. */
export const startOf = (range: RangeId, nowSeconds: number): number => {
  switch (range) {
    case 'today':
      return midnightOf(nowSeconds);
    case 'yesterday':
      return midnightOf(nowSeconds, 1);
    case '24h':
      return nowSeconds - daySeconds;
    case 'month':
      return monthOf(nowSeconds);
    case 'last-month':
      return monthOf(nowSeconds, 1);
    case '7d':
    case '30d':
    case '90d':
      return (Math.floor(nowSeconds / daySeconds) - daysOf[range] + 1) * daySeconds;
  }
};

/** The last second of a closed range; undefined: it is open. */
export const endOf = (range: RangeId, nowSeconds: number): number | undefined => {
  if (range === 'yesterday') return midnightOf(nowSeconds) - 1;
  return range === 'last-month' ? monthOf(nowSeconds) - 1 : undefined;
};

/** A range that counts back from now, or custom times: unix seconds, both inclusive; 0: now. */
export type SelectedRange = RangeId | { readonly from: number; readonly to: number };

/** The bounds of a range as the server takes them. */
export const boundsOfRange = (range: RangeId, nowSeconds: number) => {
  const end = endOf(range, nowSeconds);
  return { start_timestamp: startOf(range, nowSeconds), ...(end === undefined ? {} : { end_timestamp: end }) };
};

/** The same of a range or of custom times, now. */
export const boundsOfSelected = (range: SelectedRange) =>
  typeof range === 'string'
    ? boundsOfRange(range, Math.floor(Date.now() / 1000))
    : { start_timestamp: range.from, ...(range.to > 0 ? { end_timestamp: range.to } : {}) };
