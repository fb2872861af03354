import { measures } from '../../lib/measures.ts';
import { oneOf, searchOf, whole } from '../../lib/lists/search-params.ts';
import { rangeIds } from '../../lib/usage-range.ts';

/** The dimensions of the chart; the last two are for administrators. */
export const ownDimensions = ['model', 'token'] as const;
export const allDimensions = [...ownDimensions, 'channel', 'user'] as const;
export type Dimension = (typeof allDimensions)[number];

const secondsMax = 253_402_300_799;

/** The search parameters of the dashboard. */
export const dashboardSearch = searchOf({
  range: oneOf(rangeIds),
  /** Custom times, both inclusive; they override a range. */
  from: whole(1, secondsMax),
  to: whole(1, secondsMax),
  show: oneOf(measures),
  by: oneOf(allDimensions),
  /** 0: the own account only; administrators see all accounts otherwise. */
  all: whole(0, 1),
  /** 1: the numbers of the chart as a table. */
  table: whole(1, 1),
});
export type DashboardSearch = ReturnType<typeof dashboardSearch>;
