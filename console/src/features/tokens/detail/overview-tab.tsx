import { useQuery } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import type { Usage } from '@weir/contract/usage';
import { lazy, Suspense } from 'react';
import { Empty } from '../../../components/empty.tsx';
import { Failure } from '../../../components/failure.tsx';
import { MeasureTabs } from '../../../components/chart/measure-tabs.tsx';
import { Money } from '../../../components/text/money.tsx';
import { Tile } from '../../../components/text/tile.tsx';
import { daysLeft, measureOf } from '../../../components/chart/usage-series.ts';
import { UsageRangeSelect } from '../../../components/chart/usage-range-select.tsx';
import { abbreviate } from '../../../lib/format/format.ts';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { usualRange } from '../../../lib/usage-range.ts';
import type { RangeId } from '../../../lib/usage-range.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { keyRequestsQuery, keyUsageQuery } from './detail-queries.ts';
import type { DetailSearch } from './detail-search.ts';
import { KeyLimits } from './key-limits.tsx';
import { Remaining } from '../list/remaining.tsx';
import { Nothing, Section } from '../../../components/section.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { RequestTable } from '../request-table.tsx';

/** The newest requests of a token. */
const KeyRequests = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const { data: rows, error, refetch } = useQuery(keyRequestsQuery(token));
  if (error !== null && rows === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Section title={t(m.token_requests)}>
      {rows === undefined && (
        <div className="p-4" aria-busy="true">
          <Skeleton className="w-full" />
        </div>
      )}
      {rows?.length === 0 && <Nothing text={t(m.token_requests_none)} />}
      {rows && rows.length > 0 && <RequestTable rows={rows} name={token.name} />}
      <a
        className="block border-t border-line px-4 py-2.5 text-13 font-medium text-brand underline-offset-2 hover:underline"
        href="?tab=requests"
      >
        {t(m.token_requests_all)}
      </a>
    </Section>
  );
};

// The chart is not part of the first view.
const UsageChart = lazy(async () => ({
  default: (await import('../../../components/chart/usage-chart.tsx')).UsageChart,
}));

interface OverviewTabProps {
  readonly token: Token;
  readonly search: DetailSearch;
  readonly patch: Patch<DetailSearch>;
}

/** Recent usage of a token, and its limits. */
export const OverviewTab = ({ token, search, patch }: OverviewTabProps) => {
  const range = search.range ?? usualRange;
  const { data: usage, error, refetch } = useQuery(keyUsageQuery(range, token));
  return (
    <div className="flex flex-col gap-3">
      {error !== null && usage === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && usage === undefined && <div className="h-96" aria-busy="true" />}
      {usage && (
        <>
          <Tiles token={token} usage={usage} range={range} />
          <OverTime token={token} usage={usage} search={search} patch={patch} />
        </>
      )}
      <div className="grid items-start gap-3 lg:grid-cols-[2fr_1fr]">
        <KeyRequests token={token} />
        <KeyLimits token={token} />
      </div>
    </div>
  );
};

interface TilesProps {
  readonly token: Token;
  readonly usage: Usage;
  readonly range: RangeId;
}

const Tiles = ({ token, usage, range }: TilesProps) => {
  const t = useT();
  const { data: account } = useQuery(keyUsageQuery(range));
  const { total } = usage;
  const whole = account?.total.quota ?? 0;
  const days = token.unlimited_quota ? undefined : daysLeft(usage, token.remain_quota);
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile
        name={t(m.dash_spend)}
        detail={whole > 0 && t(m.token_share, { share: Math.round((total.quota / whole) * 100) })}
      >
        <Money quota={total.quota} fine />
      </Tile>
      <Tile name={t(m.dash_requests)}>{abbreviate(total.requests)}</Tile>
      <Tile
        name={t(m.dash_tokens)}
        detail={t(m.token_tokens_of, {
          prompt: abbreviate(total.prompt_tokens),
          completion: abbreviate(total.completion_tokens),
        })}
      >
        {abbreviate(measureOf(total, 'tokens'))}
      </Tile>
      <Tile name={t(m.token_remaining)} detail={days !== undefined && t(m.dash_days_left, { days })}>
        <Remaining {...token} />
      </Tile>
    </dl>
  );
};

const OverTime = ({ token, usage, search, patch }: OverviewTabProps & { readonly usage: Usage }) => {
  const t = useT();
  const measure = search.show ?? 'quota';
  const logs = (from: number, before: number): string =>
    `/log${stringifySearch({ token_name: token.name, start_timestamp: from, end_timestamp: before })}`;
  return (
    <section className="rounded-card border border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <h2 className="mr-auto text-16 font-semibold">{t(m.token_over_time)}</h2>
        <MeasureTabs measure={measure} onPick={(show) => patch({ show })} />
        <UsageRangeSelect range={search.range ?? usualRange} onPick={(range) => patch({ range })} />
      </div>
      {usage.total.requests === 0 ? (
        <Empty icon="chart" title={t(m.dash_nothing)} text={t(m.token_nothing_text)} />
      ) : (
        <Suspense fallback={<div className="h-72" />}>
          <UsageChart
            usage={usage}
            measure={measure}
            table={false}
            onZoom={(from, before) => location.assign(logs(from, before))}
            hrefOf={(span, name) =>
              `/log${stringifySearch({ token_name: token.name, ...(name && { model_name: name.name }), ...span })}`
            }
          />
        </Suspense>
      )}
    </section>
  );
};
