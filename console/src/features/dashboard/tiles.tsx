import { useQuery } from '@tanstack/react-query';
import type { Usage } from '@weir/contract/usage';
import type { ReactNode } from 'react';
import { Money } from '../../components/text/money.tsx';
import { daysLeft, spendingQuery } from '../../lib/api/spending.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { abbreviate, formatQuota } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { balanceQuery, errorsQuery } from './queries.ts';
import { changeOf, changeText, measureOf, totals } from '../../components/chart/usage-series.ts';

interface SparklineProps {
  readonly values: readonly number[];
  /** Numbers of the series colour tokens. */
  readonly color: number;
}

const width = 120;
const height = 28;

/** A sparkline; the number is shown beside it. */
const Sparkline = ({ values, color }: SparklineProps) => {
  const top = Math.max(...values, 1);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(height - 2 - (value / top) * (height - 4)).toFixed(1)}`,
  );
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" className="h-7 w-full">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={`var(--series-${color})`}
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
};

interface TilesProps {
  readonly usage: Usage;
  /** The usage is the own account's: its balance stands beside it. Beside that of all accounts stand the errors. */
  readonly own: boolean;
  readonly href: string;
}

/** Totals of the range, compared with the previous period of equal length. */
export const Tiles = ({ usage, own, href }: TilesProps) => {
  const t = useT();
  const display = useQuotaDisplay();
  const { total, total_before: before } = usage;
  const tokens = measureOf(total, 'tokens');
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-3 max-md:*:last:odd:col-span-full">
      <Tile
        name={t(m.dash_spend)}
        href={href}
        change={changeOf(total.quota, before.quota)}
        spark={<Sparkline values={totals(usage, 'quota')} color={1} />}
      >
        <Figure length={formatQuota(total.quota, display).length}>
          <Money quota={total.quota} />
        </Figure>
      </Tile>
      <Tile
        name={t(m.dash_requests)}
        href={href}
        change={changeOf(total.requests, before.requests)}
        spark={<Sparkline values={totals(usage, 'requests')} color={2} />}
      >
        <Figure>{abbreviate(total.requests)}</Figure>
      </Tile>
      <Tile
        name={t(m.dash_tokens)}
        href={href}
        change={changeOf(tokens, measureOf(before, 'tokens'))}
        spark={<Sparkline values={totals(usage, 'tokens')} color={5} />}
      >
        <Figure>{abbreviate(tokens)}</Figure>
      </Tile>
      {own ? <Balance /> : <Errors />}
    </div>
  );
};

interface TileProps {
  readonly name: string;
  readonly href: string;
  readonly change?: number | undefined;
  /** The change is negative for the user. */
  readonly bad?: boolean;
  readonly spark: ReactNode;
  readonly children: ReactNode;
}

const tileClass = '@container flex min-w-0 flex-col gap-1 rounded-card border border-line bg-panel px-4 py-3';

const usualLength = 8;

interface FigureProps {
  /** Characters. */
  readonly length?: number | undefined;
  readonly children: ReactNode;
}

/** The figure of a tile, on one line: a long one is smaller. A digit is six tenths as wide as high. */
const Figure = ({ length = usualLength, children }: FigureProps) => (
  <span
    className="min-w-0 leading-tight font-semibold whitespace-nowrap tabular-nums [--most:1.25rem] md:[--most:1.75rem]"
    style={{ fontSize: `min(var(--most), ${Math.floor(160 / length)}cqi)` }}
  >
    {children}
  </span>
);

const Tile = ({ name, href, change, bad = false, spark, children }: TileProps) => (
  <a href={href} className={`${tileClass} hover:bg-raised`}>
    <span className="text-13 text-mute">{name}</span>
    <span className="flex flex-wrap items-baseline gap-x-2">
      {children}
      <Change change={change} bad={bad} />
    </span>
    <span className="mt-auto">{spark}</span>
  </a>
);

/** Change against the previous period; screen readers read it as text. */
const Change = ({ change, bad }: { readonly change: number | undefined; readonly bad: boolean }) => {
  const t = useT();
  if (change === undefined) return null;
  const percent = changeText(change);
  const words = change < 0 ? t(m.dash_less, { percent }) : t(m.dash_more, { percent });
  return (
    <span className={`text-13 tabular-nums ${bad ? 'text-bad' : 'text-mute'}`} title={words}>
      <span aria-hidden="true">
        {change < 0 ? '▼' : '▲'} {percent}%
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
};

/** Error rate of attempts on all channels: refused client requests are not errors of the gateway. */
const Errors = () => {
  const t = useT();
  const { data, isError } = useQuery(errorsQuery);
  // Space is reserved: tiles that move are hard to read.
  if (data === undefined)
    return (
      <Tile name={t(m.dash_errors)} href="/channel?view=failing" spark={<span className="block h-7" />}>
        <Figure>{isError ? '–' : '…'}</Figure>
      </Tile>
    );
  const { failed, succeeded, before, hours } = data;
  const share = (failed * 100) / Math.max(1, failed + succeeded);
  return (
    <Tile
      name={t(m.dash_errors)}
      href="/channel?view=failing"
      change={changeOf(failed, before.failed)}
      bad={failed > before.failed}
      spark={<Sparkline values={hours.map((hour) => hour.failed)} color={6} />}
    >
      <Figure>
        <span data-tip={t(m.dash_errors_of, { failed, count: failed + succeeded })}>
          {share.toFixed(share > 0 && share < 10 ? 1 : 0)}%
          <span className="pl-2 text-13 font-normal text-mute">{abbreviate(failed)}</span>
        </span>
      </Figure>
    </Tile>
  );
};

/** With the forecast of the top-up page, whatever the range. */
const Balance = () => {
  const t = useT();
  const display = useQuotaDisplay();
  const { data } = useQuery(balanceQuery);
  const { data: spent } = useQuery(spendingQuery);
  const days = data && spent && daysLeft(data.quota, spent);
  return (
    <div className={tileClass}>
      <span className="text-13 text-mute">{t(m.dash_balance)}</span>
      <Figure length={data && formatQuota(data.quota, display).length}>
        {data ? <Money quota={data.quota} /> : '…'}
      </Figure>
      <span className="mt-auto flex min-h-7 flex-wrap items-center justify-between gap-2 text-13 text-mute">
        <span>{days !== undefined && t(m.dash_days_left, { days })}</span>
        <a href="/topup" className="inline-block py-0.5 font-medium text-brand underline underline-offset-2">
          {t(m.dash_top_up)}
        </a>
      </span>
    </div>
  );
};
