interface SparklineProps {
  readonly values: readonly number[];
  /** Of the series tokens. */
  readonly color: number;
}

const width = 120;
const height = 28;

/** The shape of a number over time; the number itself stands beside it. */
export const Sparkline = ({ values, color }: SparklineProps) => {
  const top = Math.max(...values, 1);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, place) => `${(place * step).toFixed(1)},${(height - 2 - (value / top) * (height - 4)).toFixed(1)}`,
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
