/** Ranges that count back from now; `7d` is the default, for an address without a range. */
export const rangeIds = ['today', '24h', '7d', '30d', 'month', '90d'] as const;
export type RangeId = (typeof rangeIds)[number];
export const usualRange: RangeId = '7d';

export const daySeconds = 86_400;
const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const;

/** Days are the server's: UTC. A range of days begins with a whole one, so that no bar shows a part. */
export const startOf = (range: RangeId, nowSeconds: number): number => {
  switch (range) {
    case 'today':
      return Math.floor(new Date(nowSeconds * 1000).setHours(0, 0, 0, 0) / 1000);
    case '24h':
      return nowSeconds - daySeconds;
    case 'month': {
      const now = new Date(nowSeconds * 1000);
      return Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) / 1000;
    }
    case '7d':
    case '30d':
    case '90d':
      return (Math.floor(nowSeconds / daySeconds) - daysOf[range] + 1) * daySeconds;
  }
};
