import { can } from '@weir/contract/roles';
import { Suspense, lazy } from 'react';
import { currentUser } from '../../lib/api/session.ts';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { parseSearch } from '../../lib/lists/search-params.ts';
import type { ScreenComponent } from '../../lib/router/screen-component.ts';
import { filtersOf } from './filters/log-filters.ts';
import { listSearch } from './filters/logs-search.ts';
import { WideLogs } from './list/wide-logs.tsx';
import { logSource, pageQuery } from './queries.ts';

const PhoneLogs = lazy(async () => ({ default: (await import('./list/phone-logs.tsx')).PhoneLogs }));

/** The log: past calls with user, time and cost. */
export const LogsScreen: ScreenComponent = () =>
  usePhone() ? (
    <Suspense>
      <PhoneLogs />
    </Suspense>
  ) : (
    <WideLogs />
  );

LogsScreen.prefetch = (client) => {
  const admin = can(currentUser()?.role, 'admin');
  const filters = filtersOf(listSearch(parseSearch(location.search)), admin);
  return client.query(pageQuery(logSource(client, admin, filters), 0));
};
