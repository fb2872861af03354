import { useQuery } from '@tanstack/react-query';
import type { Usage } from '@weir/contract/usage';
import type { ReactNode } from 'react';
import { Money } from '../../components/text/money.tsx';
import { abbreviate } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { balanceQuery, errorsQuery } from './queries.ts';
import { changeOf, changeText, daysLeft, measureOf, totals } from '../../components/chart/usage-series.ts';

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
        <Money quota={total.quota} />
      </Tile>
      <Tile
        name={t(m.dash_requests)}
        href={href}
        change={changeOf(total.requests, before.requests)}
        spark={<Sparkline values={totals(usage, 'requests')} color={2} />}
      >
        {abbreviate(total.requests)}
      </Tile>
      <Tile
        name={t(m.dash_tokens)}
        href={href}
        change={changeOf(tokens, measureOf(before, 'tokens'))}
        spark={<Sparkline values={totals(usage, 'tokens')} color={5} />}
      >
        {abbreviate(tokens)}
      </Tile>
      {own ? <Balance usage={usage} /> : <Errors />}
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

const tileClass = 'flex min-w-0 flex-col gap-1 rounded-card border border-line bg-panel px-4 py-3';

const Tile = ({ name, href, change, bad = false, spark, children }: TileProps) => (
  <a href={href} className={`${tileClass} hover:bg-raised`}>
    <span className="text-13 text-mute">{name}</span>
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="min-w-0 text-20 leading-tight font-semibold wrap-anywhere tabular-nums md:text-28">
        {children}
      </span>
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
        {isError ? '–' : '…'}
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
      <span data-tip={t(m.dash_errors_of, { failed, count: failed + succeeded })}>
        {share.toFixed(share > 0 && share < 10 ? 1 : 0)}%
        <span className="pl-2 text-13 font-normal text-mute">{abbreviate(failed)}</span>
      </span>
    </Tile>
  );
};

const Balance = ({ usage }: Pick<TilesProps, 'usage'>) => {
  const t = useT();
  const { data } = useQuery(balanceQuery);
  const days = data && daysLeft(usage, data.quota);
  return (
    <div className={tileClass}>
      <span className="text-13 text-mute">{t(m.dash_balance)}</span>
      <span className="min-w-0 text-20 leading-tight font-semibold wrap-anywhere tabular-nums md:text-28">
        {data ? <Money quota={data.quota} /> : '…'}
      </span>
      <span className="mt-auto flex min-h-7 flex-wrap items-center justify-between gap-2 text-13 text-mute">
        <span>{days !== undefined && t(m.dash_days_left, { days })}</span>
        <a href="/topup" className="inline-block py-0.5 font-medium text-brand underline underline-offset-2">
          {t(m.dash_top_up)}
        </a>
      </span>
    </div>
  );
};
