import { measures } from '../../lib/measures.ts';
import { oneOf, searchOf, whole } from '../../lib/search-params.ts';
import { rangeIds } from '../../lib/usage-range.ts';

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
