import type { Usage } from '@weir/contract/usage';
import { useMemo } from 'react';
import { Chart, SeriesDot } from './chart.tsx';
import type { ChartSeries } from './chart-options.ts';
import { abbreviate, formatCost, formatTime } from '../../lib/format/format.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { Measure } from '../../lib/measures.ts';
import { measureOf, seriesOf, timesOf } from './usage-series.ts';

interface UsageChartProps {
  readonly usage: Usage;
  readonly measure: Measure;
  /** Show the numbers as a table instead of the chart. */
  readonly table: boolean;
  readonly onZoom: (from: number, before: number) => void;
  readonly onReset?: () => void;
  /** Address of the log records of a name, or of all names, in a span; absent: nothing leads to the log. */
  readonly hrefOf?: (span: LogSpan, name: Usage['names'][number] | undefined) => string;
}

/** As search parameters of the log; both ends are included. */
export interface LogSpan {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

const spanOf = ({ from, before, step }: Usage, at: number): LogSpan => ({
  start_timestamp: Math.max(at, from),
  end_timestamp: Math.min(at + step, before) - 1,
});

const heightPx = 260;
const daySeconds = 86_400;
const dayText = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10);

/** Usage over time, by name; also as a table of the same numbers. */
export const UsageChart = ({ usage, measure, table, onZoom, onReset, hrefOf }: UsageChartProps) => {
  const t = useT();
  const display = useQuotaDisplay();
  const at = useMemo(() => timesOf(usage), [usage]);
  const series = useMemo(() => seriesOf(usage, measure, t(m.dash_other)), [usage, measure, t]);
  const format = (value: number): string => (measure === 'quota' ? formatCost(value, display) : abbreviate(value));
  const nameOf = (time: number): string =>
    usage.step % daySeconds === 0 ? `${dayText(time)} (UTC)` : formatTime(time);
  const total = format(measureOf(usage.total, measure));
  const hrefAt = hrefOf && ((time: number): string => hrefOf(spanOf(usage, time), undefined));
  if (table) return <Numbers at={at} series={series} format={format} nameOf={nameOf} hrefAt={hrefAt} />;
  return (
    <>
      <Chart
        bare={false}
        label={t(m.dash_chart_label, { total })}
        height={heightPx}
        at={at}
        step={usage.step}
        series={series}
        format={format}
        nameOf={nameOf}
        onZoom={onZoom}
        {...(hrefOf && {
          onPart: (bucket, part) => void navigate(hrefOf(spanOf(usage, at[bucket] ?? 0), usage.names[part])),
        })}
        {...(onReset ? { onReset } : {})}
      />
      <ul className="flex flex-wrap gap-x-4 gap-y-1 pt-2 text-13">
        {series.map(({ name, color }) => (
          <li key={name} className="flex min-w-0 items-center gap-1.5">
            <SeriesDot color={color} />
            <span className="truncate">{name}</span>
          </li>
        ))}
      </ul>
    </>
  );
};

interface NumbersProps {
  readonly at: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  readonly nameOf: (at: number) => string;
  readonly hrefAt: ((at: number) => string) | undefined;
}

const Numbers = ({ at, series, format, nameOf, hrefAt }: NumbersProps) => {
  const t = useT();
  return (
    <div className="max-h-80 overflow-auto" tabIndex={0} role="region" aria-label={t(m.dash_table)}>
      <table className="w-full border-collapse text-13 tabular-nums">
        <thead className="text-12 text-mute">
          <tr>
            <th scope="col" className="py-1 pr-3 text-left font-medium">
              {t(m.dash_time)}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="px-3 py-1 text-right font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {at.map((time, index) => (
            <tr key={time} className="border-t border-line">
              <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                {hrefAt ? (
                  <a href={hrefAt(time)} className="underline-offset-2 hover:underline">
                    {nameOf(time)}
                  </a>
                ) : (
                  nameOf(time)
                )}
              </th>
              {series.map(({ name, values }) => (
                <td key={name} className="px-3 py-1 text-right">
                  {format(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
