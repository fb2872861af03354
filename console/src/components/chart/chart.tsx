import uPlot from 'uplot';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { useMedia } from '../../lib/hooks/use-media.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { chartOptions, stack } from './chart-options.ts';
import type { ChartShape } from './chart-options.ts';

interface ChartProps extends ChartShape {
  /** Text description of the chart. */
  readonly label: string;
  readonly height: number;
  /** Called when a range was dragged; unix seconds. */
  readonly onZoom?: (from: number, before: number) => void;
  readonly onReset?: () => void;
  /** Called when a part of a bar was clicked. */
  readonly onPart?: (bucket: number, series: number) => void;
  /** Label of a bucket in the tooltip. */
  readonly nameOf: (at: number) => string;
}

interface Pointed {
  readonly index: number;
  readonly leftPx: number;
}

/** Rebuilds when the theme changes: a canvas does not react to style sheets. */
const useTheme = (): string => {
  const dark = useMedia('(prefers-color-scheme: dark)');
  const [theme, setTheme] = useState(document.documentElement.dataset['theme']);
  useEffect(() => {
    const watcher = new MutationObserver(() => setTheme(document.documentElement.dataset['theme']));
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => watcher.disconnect();
  }, []);
  return `${theme} ${dark}`;
};

/** Bar chart of time buckets, stacked. Drag over a range to zoom, double-click to reset. */
export const Chart = (props: ChartProps) => {
  const { at, step, series, label, height } = props;
  const container = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed>();
  const theme = useTheme();
  const latest = useLatest(props);
  const shown = useRef<uPlot>(undefined);
  // The bar is centred on its bucket.
  const data = useMemo(
    (): uPlot.AlignedData => [at.map((time) => time + step / 2), ...stack(series, at.length)],
    [at, step, series],
  );
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const size = () => ({ width: element.clientWidth, height });
    const events = {
      onPoint: (index: number | undefined, leftPx: number) =>
        setPointed(index === undefined ? undefined : { index, leftPx }),
      onZoom: (from: number, before: number) => latest.current.onZoom?.(from, before),
      onReset: () => latest.current.onReset?.(),
    };
    const plot = new uPlot(chartOptions(latest.current, size(), events), data, element);
    shown.current = plot;
    const watcher = new ResizeObserver(() => plot.setSize(size()));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [data, height, theme, latest]);
  const open = (): void => {
    const [plot, bucket] = [shown.current, pointed?.index];
    if (plot === undefined || bucket === undefined || props.onPart === undefined) return;
    const value = plot.posToVal(plot.cursor.top ?? 0, 'y');
    const part = stack(series, at.length).findLastIndex((tops) => (tops[bucket] ?? 0) >= value);
    if (part >= 0) props.onPart(bucket, part);
  };
  return (
    <div className="relative" style={{ height }}>
      <div
        ref={container}
        role="img"
        aria-label={label}
        className={`h-full overflow-hidden ${props.onPart ? 'cursor-pointer' : ''}`}
        onClick={open}
      />
      {pointed && <Tip {...props} {...pointed} />}
    </div>
  );
};

const Tip = ({ at, series, format, nameOf, index, leftPx }: ChartProps & Pointed) => {
  const t = useT();
  const rows = series
    .map(({ name, color, values }) => ({ name, color, value: values[index] ?? 0 }))
    .filter(({ value }) => value !== 0)
    .sort((one, other) => other.value - one.value);
  return (
    <div
      className="pointer-events-none absolute top-2 z-20 max-w-64 rounded-control bg-panel px-3 py-2 text-12 shadow-float"
      style={{ left: `min(${leftPx + 72}px, calc(100% - 12rem))` }}
    >
      <p className="pb-1 text-mute tabular-nums">{nameOf(at[index] ?? 0)}</p>
      {rows.length === 0 && <p>{format(0)}</p>}
      {rows.map(({ name, color, value }) => (
        <p key={name} className="flex items-center gap-2">
          <SeriesDot color={color} />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="tabular-nums">{format(value)}</span>
        </p>
      ))}
      {rows.length > 1 && (
        <p className="mt-1 flex gap-2 border-t border-line pt-1 font-medium">
          <span className="flex-1">{t(m.chart_total)}</span>
          <span className="tabular-nums">{format(rows.reduce((sum, { value }) => sum + value, 0))}</span>
        </p>
      )}
    </div>
  );
};

/** The colour swatch beside the name of a series. */
export const SeriesDot = ({ color }: { readonly color: number }) => (
  <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: `var(--series-${color})` }} />
);
