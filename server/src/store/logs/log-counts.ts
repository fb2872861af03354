import { logType } from '@weir/contract/logs';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { countRefusalRows } from '../refusals/refusal-list.ts';
import {
  everything,
  filtered,
  type LogFilter,
  ofType,
  others,
  spanOf,
  wantsConsumption,
  wantsOthers,
  within,
} from './log-filter.ts';
import { hourSeconds } from './log-hours.ts';
import { daySeconds, type Span } from './log-pieces.ts';
import { addSums, type Bucket, noSums, sumBuckets } from './log-sums.ts';

interface Counting {
  readonly filter: LogFilter;
  readonly span: Span;
  /** Seconds. */
  readonly step: number;
}

/** When the first or last of all such records within a span was, whatever the filter. */
const edgeOfOthers = async (db: Database, span: Span, order: 'asc' | 'desc'): Promise<number | undefined> => {
  const row = await db.read
    .selectFrom('logs')
    .select('created_at')
    .where((eb) => eb.and([others(everything), within(span)].flatMap((of) => of(eb))))
    .orderBy('created_at', order)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
};

/**
 * Each bucket is counted by itself, in the order of the index: to group all records sorts them, which takes four times as
 * long.
 */
const countOthers = async (db: Database, { filter, span, step }: Counting): Promise<Bucket[]> => {
  const [first, last] = await Promise.all([edgeOfOthers(db, span, 'asc'), edgeOfOthers(db, span, 'desc')]);
  if (first === undefined || last === undefined) return [];
  const buckets = sql<{ readonly bucket: number; readonly since: number; readonly before: number }>`(
    with recursive buckets (bucket, since, before) as (
      select ${sql.lit(Math.floor(first / step))}, ${sql.lit(first)}, ${sql.lit((Math.floor(first / step) + 1) * step)}
      union all select bucket + 1, before, before + ${sql.lit(step)} from buckets where before <= ${sql.lit(last)})
    select bucket, since, case when before > ${sql.lit(last)} then ${sql.lit(last + 1)} else before end as before
      from buckets)`.as('buckets');
  const rows = await db.read
    .selectFrom(buckets)
    .select((eb) => [
      'bucket',
      eb
        .selectFrom('logs')
        .select((of) => of.fn.countAll<number>().as('requests'))
        .where((of) => of.and(others(filter)(of)))
        .whereRef('created_at', '>=', 'buckets.since')
        .whereRef('created_at', '<', 'buckets.before')
        .as('requests'),
    ])
    .execute();
  return rows
    .map(({ bucket, requests }) => ({ ...noSums, at: Number(bucket) * step, requests: Number(requests) }))
    .filter(({ requests }) => requests > 0);
};

const countRefused = async (db: Database, { filter, span, step }: Counting): Promise<Bucket[]> => {
  const spanned = { ...filter, start: span.from, end: span.before - 1 };
  const rows = await countRefusalRows(db, { filter: spanned, step });
  return rows.map(({ at, records }) => ({ ...noSums, at, requests: records }));
};

/**
 * The records that a list of this filter shows, counted in buckets of time; those without any are left out. Oldest
 * first. Quota and tokens are those of its consumption.
 */
export const countRecords = async (db: Database, counting: Counting): Promise<Bucket[]> => {
  const { filter } = counting;
  if (filter.type === logType.refused) return countRefused(db, counting);
  const [consumed, rest] = await Promise.all([
    wantsConsumption(filter) ? sumBuckets(db, counting) : [],
    wantsOthers(filter) ? countOthers(db, counting) : [],
  ]);
  const byTime = new Map(consumed.map((bucket) => [bucket.at, bucket]));
  for (const bucket of rest) {
    const before = byTime.get(bucket.at);
    byTime.set(bucket.at, before === undefined ? bucket : { ...before, requests: before.requests + bucket.requests });
  }
  return [...byTime.values()].toSorted((one, other) => one.at - other.at);
};

/** Records that are counted one by one: enough for the last hours of a quiet gateway. */
const oneByOneMax = 20_000;
/** Buckets of a chart. */
const bucketsMax = 120;
const minutes = 60;

/** The finest step of whole hours that makes a chart of a span; 0: the span is open, or months long. */
const stepFor = (seconds: number): number => {
  const fitting = [hourSeconds, 3 * hourSeconds, 6 * hourSeconds].find((step) => seconds <= 75 * step);
  return fitting ?? 0;
};

/** Merges whole days until there are few enough. */
const merge = (days: readonly Bucket[]): { readonly step: number; readonly buckets: readonly Bucket[] } => {
  const first = days[0]?.at ?? 0;
  const length = ((days.at(-1)?.at ?? 0) - first) / daySeconds + 1;
  const step = Math.ceil(length / bucketsMax) * daySeconds;
  const merged = new Map<number, Bucket>();
  for (const day of days) {
    const at = Math.floor(day.at / step) * step;
    merged.set(at, { at, ...addSums(day, merged.get(at) ?? noSums) });
  }
  return { step, buckets: [...merged.values()] };
};

/** The records that match a filter, counted in as many buckets as a chart has. */
export const countByTime = async (
  db: Database,
  { filter, now }: { readonly filter: LogFilter; readonly now: number },
): Promise<{ readonly step: number; readonly buckets: readonly Bucket[] }> => {
  const span = spanOf(filter);
  const seconds = Math.min(span.before, now + 1) - span.from;
  const step = stepFor(seconds);
  if (step === 0) return merge(await countRecords(db, { filter, span, step: daySeconds }));
  const buckets = await countRecords(db, { filter, span, step });
  const records = buckets.reduce((sum, { requests }) => sum + requests, 0);
  const fine = 5 * minutes;
  return seconds > 3 * hourSeconds || records > oneByOneMax
    ? { step, buckets }
    : { step: fine, buckets: await countRecords(db, { filter, span, step: fine }) };
};

interface RowPosition {
  readonly span: Span;
  /** Rows of the span before the one that is looked up. */
  readonly index: number;
}

/** The bucket that a row falls into, counted from the newest; undefined: there are not that many. */
const narrow = async (
  db: Database,
  { span, index }: RowPosition,
  { filter, step }: Omit<Counting, 'span'>,
): Promise<RowPosition | undefined> => {
  let skipped = 0;
  for (const { at, requests } of (await countRecords(db, { filter, span, step })).toReversed()) {
    if (index < skipped + requests) {
      const from = Math.max(at, span.from);
      return { span: { from, before: Math.min(at + step, span.before) }, index: index - skipped };
    }
    skipped += requests;
  }
  return undefined;
};

/**
 * The row with a number, counted from the newest in order of time: found by the counts of days and
 * of hours, so that no more rows are passed over than one hour has.
 */
export const findRowAt = async (
  db: Database,
  { filter, index }: { readonly filter: LogFilter; readonly index: number },
) => {
  const day = await narrow(db, { span: spanOf(filter), index }, { filter, step: daySeconds });
  const found = day && (await narrow(db, day, { filter, step: hourSeconds }));
  if (found === undefined) return undefined;
  return db.read
    .selectFrom('logs')
    .select(['id', 'created_at'])
    .where((eb) => eb.and([ofType(filter.type), filtered(filter), within(found.span)].flatMap((of) => of(eb))))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(found.index)
    .limit(1)
    .executeTakeFirst();
};
