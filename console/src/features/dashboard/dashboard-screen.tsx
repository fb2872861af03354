import { useQuery } from '@tanstack/react-query';
import { logType } from '@weir/contract/logs';
import { can } from '@weir/contract/roles';
import type { Usage } from '@weir/contract/usage';
import { Suspense, lazy, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { MeasureTabs } from '../../components/chart/measure-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Select } from '../../components/form/select.tsx';
import { UsageRangeSelect } from '../../components/chart/usage-range-select.tsx';
import { ViewTabs } from '../../components/view-tabs.tsx';
import type { Measure } from '../../lib/measures.ts';
import { parseSearch, stringifySearch } from '../../lib/lists/search-params.ts';
import { hasCapabilities, useCapabilities } from '../../lib/api/capabilities.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { currentUser, useUser } from '../../lib/api/session.ts';
import { currentStatus, useStatusKnown } from '../../lib/api/status.ts';
import { usePainted } from '../../lib/hooks/use-painted.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import type { ScreenComponent } from '../../lib/router/screen-component.ts';
import { usualRange } from '../../lib/usage-range.ts';
import type { SelectedRange } from '../../lib/usage-range.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AlertsCard } from './alerts-card.tsx';
import { LedgerCheck } from './ledger-check.tsx';
import { allDimensions, dashboardSearch, ownDimensions } from './dashboard-search.ts';
import type { DashboardSearch, Dimension } from './dashboard-search.ts';
import { balanceQuery, channelsQuery, firstCallQuery, usageQuery } from './queries.ts';
import { Tiles } from './tiles.tsx';
import { TopNames } from './top-names.tsx';

// The chart is not part of the first view.
const UsageChart = lazy(async () => ({ default: (await import('../../components/chart/usage-chart.tsx')).UsageChart }));

// Loaded on demand: most visits use the predefined ranges.
const OwnTimes = lazy(async () => ({ default: (await import('../../components/chart/own-times.tsx')).OwnTimes }));
const WeekScreen = lazy(async () => ({ default: (await import('./week-screen.tsx')).WeekScreen }));
const MarginCard = lazy(async () => ({ default: (await import('./margin-card.tsx')).MarginCard }));
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));

const dimensionLabels: Record<Dimension, Message> = {
  model: m.dash_by_model,
  token: m.dash_by_token,
  channel: m.dash_by_channel,
  user: m.dash_by_user,
};

interface UsageView {
  readonly allAccounts: boolean;
  readonly range: SelectedRange;
  readonly by: Dimension;
  readonly measure: Measure;
}

const usageViewOf = (search: DashboardSearch, admin: boolean): UsageView => {
  const allAccounts = admin && search.all !== 0;
  const chosen = search.by ?? 'model';
  const own = ownDimensions.some((dimension) => dimension === chosen);
  return {
    allAccounts,
    range: search.from === undefined ? (search.range ?? usualRange) : { from: search.from, to: search.to ?? 0 },
    by: allAccounts || own ? chosen : 'model',
    measure: search.show ?? 'quota',
  };
};

/**
 * Whether the first steps are shown: before the first call of the account, for administrators of the gateway. They stay
 * until the page is left. Undefined: not known yet.
 */
const useFirstSteps = (admin: boolean): boolean | undefined => {
  const self = useQuery(balanceQuery);
  const unused = self.data?.request_count === 0;
  const channels = useQuery({ ...channelsQuery, enabled: admin && unused });
  const call = useQuery({ ...firstCallQuery(admin), enabled: admin && unused });
  const [begun, setBegun] = useState(false);
  if (begun) return true;
  if (self.isPending) return undefined;
  if (!unused) return false;
  if (admin && (channels.isPending || call.isPending)) return undefined;
  const idle = !admin || (call.data === null && channels.data?.every(({ used_quota: used }) => used === 0) === true);
  if (idle) setBegun(true);
  return idle;
};

/** `/dashboard`: with other servers of the contract, the own usage of a week alone. */
export const DashboardScreen: ScreenComponent = () => {
  const capabilities = useCapabilities();
  const known = useStatusKnown();
  if (capabilities) return <GatewayDashboard />;
  return known ? (
    <Suspense>
      <WeekScreen />
    </Suspense>
  ) : (
    <Waiting />
  );
};

/** State of the gateway, cost, top spenders and changes. */
const GatewayDashboard = () => {
  const t = useT();
  const [search, patch] = useSearchState(dashboardSearch);
  const admin = can(useUser()?.role, 'admin');
  const view = usageViewOf(search, admin);
  const { data: usage, error, refetch } = useQuery(usageQuery(view));
  const [choosing, setChoosing] = useState(false);
  const own = choosing || search.from !== undefined;
  const first = useFirstSteps(admin);
  return (
    <>
      <PageHead title={t(m.dash_title)}>
        <UsageRangeSelect
          range={own || typeof view.range !== 'string' ? undefined : view.range}
          onPick={(range) => {
            setChoosing(false);
            patch({ range, from: undefined, to: undefined });
          }}
          onCustom={() => setChoosing(true)}
          className="max-md:max-w-38"
        />
        {admin && (
          <ViewTabs
            label={t(m.dash_whose)}
            views={[['me', t(m.dash_me)] as const, ['all', t(m.dash_everyone)] as const]}
            current={view.allAccounts ? 'all' : 'me'}
            onPick={(whose) => patch({ all: whose === 'all' ? undefined : 0 })}
          />
        )}
        <IconButton icon="refresh" label={t(m.refresh)} aria-keyshortcuts="r" onClick={() => void refetch()} />
      </PageHead>
      {own && (
        <Suspense>
          <OwnTimes search={search} patch={patch} />
        </Suspense>
      )}
      {error !== null && usage === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && (usage === undefined || first === undefined) && <Waiting />}
      {usage && first !== undefined && (
        // Shown together: a card that arrives later would move what is below it.
        <Suspense fallback={<Waiting />}>
          {first && <FirstSteps admin={admin} />}
          <Findings usage={usage} view={view} admin={admin} search={search} patch={patch} />
        </Suspense>
      )}
    </>
  );
};

DashboardScreen.prefetch = (client) => {
  if (!hasCapabilities(currentStatus())) return Promise.resolve();
  const admin = can(currentUser()?.role, 'admin');
  const view = usageViewOf(dashboardSearch(parseSearch(location.search)), admin);
  return Promise.all([client.query(balanceQuery), client.query(usageQuery(view))]);
};

const Waiting = () => <div className="h-96" aria-busy="true" />;

interface FindingsProps {
  readonly usage: Usage;
  readonly view: UsageView;
  readonly admin: boolean;
  readonly search: DashboardSearch;
  readonly patch: Patch<DashboardSearch>;
}

const logHref = (filters: Record<string, unknown>): string => `/log${stringifySearch(filters)}`;

/** The log's search parameter that filters by a dimension. */
const filterOf = (by: Dimension, { name, title }: Usage['names'][number]): Record<string, unknown> => {
  switch (by) {
    case 'model':
      return { model_name: name };
    case 'token':
      return { token_name: name };
    case 'channel':
      return { channel: name };
    case 'user':
      return { username: title };
  }
};

/** Calls that cost nothing and are in no total: their number, which leads to their records. */
const RefusedCalls = ({ count, href }: { readonly count: number; readonly href: string }) => {
  const t = useT();
  const language = useLanguage();
  return (
    <a
      href={href}
      className="flex min-h-11 items-center gap-2 rounded-card border border-line bg-panel px-4 py-2 hover:bg-raised"
    >
      <Icon name="alert" className="size-4 shrink-0 text-mute" />
      <span className="min-w-0 flex-1 tabular-nums">
        {t(m.dash_refused, { count: count.toLocaleString(language) })}
      </span>
      <span className="text-13 whitespace-nowrap text-brand">{t(m.dash_refused_why)}</span>
    </a>
  );
};

/** To the comparison with what vendors state. */
const BillsLink = () => {
  const t = useT();
  return (
    <a
      href="/bill"
      className="flex min-h-11 items-center gap-2 rounded-card border border-line bg-panel px-4 py-2 hover:bg-raised"
    >
      <Icon name="file" className="size-4 shrink-0 text-mute" />
      <span className="min-w-0 flex-1">{t(m.dash_bills)}</span>
      <span className="text-13 whitespace-nowrap text-brand">{t(m.dash_bills_open)}</span>
    </a>
  );
};

const Findings = (props: FindingsProps) => {
  const { usage, view, admin, search } = props;
  const user = useUser();
  const mine = admin && !view.allAccounts ? { username: user?.username } : {};
  const closed = search.range === 'yesterday' || search.range === 'last-month' ? usage.before - 1 : undefined;
  const end = search.to ?? closed;
  const times = { range: search.range, from: search.from, to: search.to };
  const span = { start_timestamp: usage.from, ...(end === undefined ? {} : { end_timestamp: end }) };
  return (
    <div className="flex flex-col gap-3">
      <Tiles usage={usage} own={!view.allAccounts} href={logHref({ ...span, total: 1 })} />
      {usage.refused > 0 && (
        <RefusedCalls count={usage.refused} href={logHref({ ...span, ...mine, type: logType.refused })} />
      )}
      <OverTime {...props} />
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-2">
        {usage.names.length > 0 && (
          <TopNames
            usage={usage}
            by={view.by}
            hrefOf={(row) => logHref({ ...span, ...filterOf(view.by, row) })}
            // The report has no lines by token.
            allHref={
              view.allAccounts && view.by !== 'token'
                ? `/margin${stringifySearch({ ...times, by: view.by })}`
                : undefined
            }
          />
        )}
        <div className="flex min-w-0 flex-col gap-3">
          <AlertsCard admin={admin} />
          {admin && <LedgerCheck />}
          {admin && <BillsLink />}
        </div>
      </div>
      {/* Last: it arrives later than the rest, and would push it down. */}
      {view.allAccounts && (
        <MarginCard
          range={view.range}
          href={`/margin${stringifySearch(times)}`}
          hrefOf={(by, name) => logHref({ ...span, [by === 'model' ? 'model_name' : 'channel']: name })}
        />
      )}
    </div>
  );
};

const OverTime = ({ usage, view, search, patch }: FindingsProps) => {
  const t = useT();
  const { measure, by, allAccounts } = view;
  const table = search.table === 1;
  const empty = usage.total.requests === 0;
  const painted = usePainted(true);
  return (
    <section className="rounded-card border border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <h2 className="mr-auto text-16 font-semibold">{t(m.dash_over_time)}</h2>
        <MeasureTabs measure={measure} onPick={(show) => patch({ show })} />
        <Select
          aria-label={t(m.dash_by)}
          value={by}
          choices={(allAccounts ? allDimensions : ownDimensions).map((id) => [id, t(dimensionLabels[id])] as const)}
          onPick={(picked) => patch({ by: picked === 'model' ? undefined : picked })}
        />
        <IconButton
          icon="columns"
          label={t(table ? m.dash_as_chart : m.dash_as_table)}
          aria-pressed={table}
          onClick={() => patch({ table: table ? undefined : 1 })}
        />
      </div>
      {empty ? (
        <Empty icon="chart" title={t(m.dash_nothing)} text={t(m.dash_nothing_text)} />
      ) : (
        <Suspense fallback={<div className="h-72" />}>
          {painted ? (
            <UsageChart
              usage={usage}
              measure={measure}
              table={table}
              onZoom={(from, to) => patch({ range: undefined, from, to })}
              onReset={() => patch({ from: undefined, to: undefined })}
              hrefOf={(span, name) => logHref({ ...span, ...(name && filterOf(by, name)) })}
            />
          ) : (
            <div className="h-72" />
          )}
        </Suspense>
      )}
    </section>
  );
};
