import type { Usage, UsageSums } from '@weir/contract/usage';
import type { ChartSeries } from './chart-options.ts';
import type { Measure } from '../../lib/measures.ts';

export const measureOf = (sums: UsageSums, measure: Measure): number =>
  measure === 'tokens' ? sums.prompt_tokens + sums.completion_tokens : sums[measure];

/** The starts of all buckets of a usage, including empty ones. */
export const timesOf = ({ from, before, step }: Pick<Usage, 'from' | 'before' | 'step'>): number[] => {
  const first = Math.floor(from / step);
  const last = Math.floor((before - 1) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
};

const otherColor = 8;

/** A series for each of the largest names, and one for the sum of the others, if any. */
export const seriesOf = (usage: Usage, measure: Measure, other: string): ChartSeries[] => {
  const times = timesOf(usage);
  const valuesOf = (name: string | null): number[] => {
    const byTime = new Map(usage.buckets.filter((bucket) => bucket.name === name).map((bucket) => [bucket.at, bucket]));
    return times.map((at) => {
      const bucket = byTime.get(at);
      return bucket === undefined ? 0 : measureOf(bucket, measure);
    });
  };
  const named = usage.names.map(({ name, title }, index) => ({
    name: title,
    color: index + 1,
    values: valuesOf(name),
  }));
  const hasOthers = usage.buckets.some(({ name }) => name === null);
  return hasOthers ? [...named, { name: other, color: otherColor, values: valuesOf(null) }] : named;
};

/** The sum of all series, for a sparkline. */
export const totals = (usage: Usage, measure: Measure): number[] =>
  timesOf(usage).map((at) =>
    usage.buckets.reduce((sum, bucket) => (bucket.at === at ? sum + measureOf(bucket, measure) : sum), 0),
  );

/** Change in per cent; undefined: the previous value is 0. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : Math.round(((now - before) / before) * 100);

const changeMax = 999;

/** The formatted size of a change; above a limit the number is not useful. */
export const changeText = (change: number): string =>
  Math.abs(change) > changeMax ? `> ${changeMax}` : String(Math.abs(change));

const daySeconds = 86_400;
const daysKnownMin = 3;
/** Forecasts above this are not useful. */
const daysMax = 999;

/** Days until the balance is used up at the mean daily spend of the range; undefined: too little data. */
export const daysLeft = (usage: Usage, balance: number): number | undefined => {
  const days = new Set(usage.buckets.map(({ at }) => Math.floor(at / daySeconds)));
  if (days.size < daysKnownMin || usage.total.quota === 0) return undefined;
  const length = (usage.before - usage.from) / daySeconds;
  const left = Math.floor(balance / (usage.total.quota / length));
  return left > daysMax ? undefined : left;
};
