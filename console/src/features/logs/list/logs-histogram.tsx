import { useQuery } from '@tanstack/react-query';
import type { LogCount } from '@weir/contract/logs';
import { useMemo } from 'react';
import { Chart } from '../../../components/chart/chart.tsx';
import { abbreviate, formatTime } from '../../../lib/format/format.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { LogFilters } from '../filters/log-filters.ts';
import { countLoaded, fillBuckets } from './log-buckets.ts';
import { pickPreset, usualRange } from '../filters/log-range.ts';
import type { LogRow } from './log-row.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { countQuery } from '../queries.ts';
import type { LogSource } from '../queries.ts';

interface LogsHistogramProps {
  readonly source: LogSource;
  readonly admin: boolean;
  readonly filters: LogFilters;
  readonly rows: readonly LogRow[];
  readonly patch: Patch<LogsSearch>;
}

const heightPx = 64;

/** Number of records over time; dragging selects a range for the list. */
export const LogsHistogram = ({ source, admin, filters, rows, patch }: LogsHistogramProps) => {
  const t = useT();
  const language = useLanguage();
  const { data, dataUpdatedAt } = useQuery(countQuery(source, admin, filters));
  const count: LogCount | undefined = useMemo(() => (data === null ? countLoaded(rows) : data), [data, rows]);
  const { at, values } = useMemo(() => {
    const { start, end } = source.bounds();
    // Loaded rows do not cover the rest of the range.
    return data === null ? fillBuckets(count) : fillBuckets(count, { start, end: end || dataUpdatedAt / 1000 });
  }, [count, data, dataUpdatedAt, source]);
  const series = useMemo(() => [{ name: t(m.log_chart_records), color: 1, values }], [t, values]);
  const number = (value: number): string => value.toLocaleString(language);
  return (
    <div className="rounded-card border border-line bg-panel px-3 pt-1">
      <p className="flex justify-between text-12 text-mute tabular-nums">
        <span>
          {count && t(data === null ? m.log_chart_loaded : m.log_chart_total, { count: number(count.total) })}
        </span>
        <span className="max-lg:hidden">{t(m.log_chart_hint)}</span>
      </p>
      {count === undefined ? (
        <div style={{ height: heightPx }} />
      ) : (
        <Chart
          bare
          label={t(m.log_chart_label, { count: number(count.total) })}
          height={heightPx}
          at={at}
          step={count.step}
          series={series}
          format={abbreviate}
          nameOf={(begin) => `${formatTime(begin)} – ${formatTime(begin + count.step - 1).slice(11)}`}
          onZoom={(from, before) =>
            patch({ range: undefined, start_timestamp: from, end_timestamp: before, p: undefined })
          }
          onReset={() => patch({ ...pickPreset(usualRange), p: undefined })}
        />
      )}
    </div>
  );
};
