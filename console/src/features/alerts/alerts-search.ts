import { oneOf, searchOf, whole } from '../../lib/lists/search-params.ts';

export const alertTabs = ['history', 'rules', 'destinations'] as const;
export type AlertTab = (typeof alertTabs)[number];

/** The search parameters of the alerts. */
export const alertsSearch = searchOf({
  /** Absent: the history. */
  tab: oneOf(alertTabs),
  state: oneOf(['open', 'resolved']),
  /** Page of the history. */
  p: whole(1, 100_000),
});
