import type { LogCount } from '@weir/contract/logs';
import type { Bounds } from '../filters/log-range.ts';
import type { LogRow } from './log-row.ts';

/** Maximum number of buckets of a chart. */
const bucketsMax = 400;

const open: Bounds = { start: 0, end: 0 };

/** Every bucket of the range, including empty ones; an open end of the range is the first or last record. */
export const fillBuckets = (
  count: LogCount | undefined,
  { start, end }: Bounds = open,
): { readonly at: number[]; readonly values: number[] } => {
  const first = count?.buckets[0]?.at;
  const last = count?.buckets.at(-1)?.at;
  if (count === undefined || first === undefined || last === undefined) return { at: [], values: [] };
  const { step } = count;
  const bucketOf = (time: number): number => Math.floor(time / step) * step;
  const to = Math.max(last, bucketOf(end));
  const from = Math.max(start > 0 ? Math.min(first, bucketOf(start)) : first, to - (bucketsMax - 1) * step);
  const byTime = new Map(count.buckets.map(({ at, records }) => [at, records]));
  const at = Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
  return { at, values: at.map((time) => byTime.get(time) ?? 0) };
};

const barsWanted = 60;
const minute = 60;

/** Buckets counted from the loaded rows, for servers that return no counts. */
export const countLoaded = (rows: readonly LogRow[]): LogCount => {
  const times = rows.map((row) => row.created_at);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const step = Math.max(minute, Math.ceil((to - from) / barsWanted / minute) * minute);
  const buckets = [...Map.groupBy(rows, (row) => Math.floor(row.created_at / step) * step)].map(([at, some]) => ({
    at,
    records: some.length,
    quota: some.reduce((sum, { quota }) => sum + quota, 0),
    tokens: some.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
  }));
  return { step, total: rows.length, buckets: buckets.sort((one, other) => one.at - other.at) };
};
