import { oneOf, searchOf, whole } from '../../lib/search-params.ts';

/** Ranges that count back from now; `7d` is the one an address without a range means. */
export const rangeIds = ['24h', '7d', '30d', '90d'] as const;
export type RangeId = (typeof rangeIds)[number];
export const usualRange: RangeId = '7d';

/** What the chart shows. */
export const measures = ['quota', 'requests', 'tokens'] as const;
export type Measure = (typeof measures)[number];

/** What it is told apart by; the last two are the administrator's. */
export const ownDimensions = ['model', 'token'] as const;
export const allDimensions = [...ownDimensions, 'channel', 'user'] as const;
export type Dimension = (typeof allDimensions)[number];

/** The address of the dashboard. */
export const dashboardSearch = searchOf({
  range: oneOf(rangeIds),
  show: oneOf(measures),
  by: oneOf(allDimensions),
  /** 1: everybody, not only the own account. */
  all: whole(1, 1),
  /** 1: the numbers of the chart as a table. */
  table: whole(1, 1),
});
export type DashboardSearch = ReturnType<typeof dashboardSearch>;

export const daysOf: Record<RangeId, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };
