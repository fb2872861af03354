import uPlot from 'uplot';
import { labelledBuckets, labelOf } from './chart-labels.ts';

/** One series of a chart. */
export interface ChartSeries {
  readonly name: string;
  /** Number of the series colour token, from 1; the eighth is for "other". */
  readonly color: number;
  readonly values: readonly number[];
}

export interface ChartShape {
  /** Unix seconds, ascending: start of each bucket. */
  readonly at: readonly number[];
  /** Length of a bucket in seconds. */
  readonly step: number;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** Without axes: a strip that only shows the shape. */
  readonly bare: boolean;
}

interface ChartEvents {
  readonly onPoint: (index: number | undefined, leftPx: number) => void;
  readonly onZoom: (from: number, before: number) => void;
  readonly onReset: () => void;
}

const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Each series is stacked on those after it and drawn from the highest: every bar covers the bars behind it. */
export const stack = (series: readonly ChartSeries[], length: number): number[][] => {
  let below = Array.from({ length }, () => 0);
  const stacked: number[][] = [];
  for (const { values } of series.toReversed()) {
    below = below.map((sum, index) => sum + (values[index] ?? 0));
    stacked.unshift(below);
  }
  return stacked;
};

const axesOf = (shape: ChartShape): uPlot.Axis[] => {
  const { bare, format, step } = shape;
  if (bare) return [{ show: false }, { show: false }];
  const stroke = colorOf('--mute');
  const font = '12px system-ui, sans-serif';
  const grid = { stroke: colorOf('--line'), width: 1 };
  return [
    {
      stroke,
      font,
      grid: { show: false },
      ticks: { show: false },
      size: 28,
      splits: ({ bbox }) => labelledBuckets(shape, bbox.width / uPlot.pxRatio).map((time) => time + step / 2),
      values: (_, middles) => middles.map((middle) => labelOf(middle - step / 2, step)),
    },
    { stroke, font, grid, ticks: { show: false }, size: 72, values: (_, values) => values.map(format) },
  ];
};

/** The options of a bar chart of buckets. */
export const chartOptions = (
  shape: ChartShape,
  size: { readonly width: number; readonly height: number },
  { onPoint, onZoom, onReset }: ChartEvents,
): uPlot.Options => {
  const { at, step, series } = shape;
  const bars = uPlot.paths.bars?.({ size: [0.72, 72] });
  const end = (at.at(-1) ?? 0) + step;
  return {
    ...size,
    padding: shape.bare ? [4, 0, 0, 0] : [8, 8, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => () => (onReset(), null) },
    },
    scales: {
      x: { time: true, range: [at[0] ?? 0, end] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    axes: axesOf(shape),
    series: [
      {},
      ...series.map(({ color }) => ({
        fill: colorOf(`--series-${color}`),
        // A gap between the parts of a bar tells them apart without colours.
        ...(shape.bare ? { width: 0 } : { stroke: colorOf('--panel'), width: 1 }),
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
    hooks: {
      setCursor: [
        ({ cursor, valToPos, posToVal }) => {
          const left = cursor.left ?? -1;
          if (left < 0) return onPoint(undefined, 0);
          const time = posToVal(left, 'x');
          const index = at.findLastIndex((begin) => begin <= time);
          const begin = at[index];
          onPoint(
            begin === undefined || time >= begin + step ? undefined : index,
            begin === undefined ? 0 : valToPos(begin, 'x'),
          );
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          onZoom(Math.floor(plot.posToVal(left, 'x')), Math.ceil(plot.posToVal(left + width, 'x')));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
};
