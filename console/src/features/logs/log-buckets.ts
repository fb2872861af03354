import type { LogCount } from '@weir/contract/logs';
import type { LogRow } from './log-row.ts';

/** Buckets that a chart has at most. */
const bucketsMax = 400;

/** Every bucket from the first to the last, those without a record too. */
export const fillBuckets = (count: LogCount | undefined): { readonly at: number[]; readonly values: number[] } => {
  const first = count?.buckets[0]?.at;
  const last = count?.buckets.at(-1)?.at;
  if (count === undefined || first === undefined || last === undefined) return { at: [], values: [] };
  const byTime = new Map(count.buckets.map(({ at, records }) => [at, records]));
  const length = Math.min(bucketsMax, (last - first) / count.step + 1);
  const at = Array.from({ length }, (_, place) => first + place * count.step);
  return { at, values: at.map((time) => byTime.get(time) ?? 0) };
};

const barsWanted = 60;
const minute = 60;

/** The same from the rows that are there, for servers that count none. */
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
