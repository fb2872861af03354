/** Ranges that count back from now; `7d` is the one an address without a range means. */
export const rangeIds = ['24h', '7d', '30d', '90d'] as const;
export type RangeId = (typeof rangeIds)[number];
export const usualRange: RangeId = '7d';

export const daySeconds = 86_400;
export const daysOf: Record<RangeId, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };

/** Whole days are the server's: UTC. A range of days begins with one, so that no bar shows a part. */
export const startOf = (range: RangeId, nowSeconds: number): number =>
  range === '24h' ? nowSeconds - daySeconds : (Math.floor(nowSeconds / daySeconds) - daysOf[range] + 1) * daySeconds;
