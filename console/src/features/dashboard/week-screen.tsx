import { useQuery } from '@tanstack/react-query';
import { getDashboard } from '@weir/contract/users';
import { Suspense, lazy } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { MeasureTabs } from '../../components/chart/measure-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { call } from '../../lib/api/call.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { dashboardSearch } from './dashboard-search.ts';
import { weekUsage } from './week-usage.ts';

const UsageChart = lazy(async () => ({ default: (await import('../../components/chart/usage-chart.tsx')).UsageChart }));

/** Days are all that there is to look into. */
const stay = (): void => undefined;

/** The own usage of seven days: the dashboard on other servers of the contract, which report no more. */
export const WeekScreen = () => {
  const t = useT();
  const [search, patch] = useSearchState(dashboardSearch);
  const { data, error, refetch } = useQuery({
    queryKey: ['week'],
    queryFn: async ({ signal }) => weekUsage(await call(getDashboard, { signal }), Math.floor(Date.now() / 1000)),
  });
  const measure = search.show ?? 'quota';
  const table = search.table === 1;
  return (
    <>
      <PageHead title={t(m.dash_title)} facts={t(m.dash_range_7d)} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.names.length === 0 && <Empty icon="chart" title={t(m.dash_nothing)} text={t(m.dash_nothing_text)} />}
      {data && data.names.length > 0 && (
        <section className="rounded-card border border-line bg-panel px-4 py-3">
          <div className="flex flex-wrap items-center gap-2 pb-3">
            <h2 className="mr-auto text-16 font-semibold">{t(m.dash_over_time)}</h2>
            <MeasureTabs measure={measure} onPick={(show) => patch({ show })} />
            <IconButton
              icon="columns"
              label={t(table ? m.dash_as_chart : m.dash_as_table)}
              aria-pressed={table}
              onClick={() => patch({ table: table ? undefined : 1 })}
            />
          </div>
          <Suspense fallback={<div className="h-72" />}>
            <UsageChart usage={data} measure={measure} table={table} onZoom={stay} />
          </Suspense>
        </section>
      )}
    </>
  );
};
