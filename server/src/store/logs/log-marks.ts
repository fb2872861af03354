import { sql, type RawBuilder } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import { hoursPerDay } from './log-sum-tables.ts';

/** Whole days that are in the day tables, from `from` to before `before`. Others are to be read by the hour. */
export interface SummedDays {
  readonly from: number;
  readonly before: number;
  /** Hours of the day `before` that the day tables have too, from its first on. */
  readonly begun?: number;
}

/** Hours since 1970, from the first to before the second. */
export interface HourRange {
  readonly from: number;
  readonly before: number;
}

/** What is in the tables of sums, oldest first: one range each, or more while a day that got a late row is out. */
export interface Summed {
  readonly days: readonly SummedDays[];
  /** In the hour tables. */
  readonly hours: readonly HourRange[];
}

/** Days that follow each other and have a mark, as ranges: a year takes as long to read as a week. */
const rangesOf = (condition: RawBuilder<unknown>) => sql`
  select min(day) as day, max(day) + 1 as before
    from (select day, day - row_number() over (order by day) as range from log_days_summed where ${condition}) as marked
    group by range`;

const readSummed = async (query: ReadQueries): Promise<Summed> => {
  const whole = sql.lit(hoursPerDay);
  const named = sql`case when hours_by_name < hours then hours_by_name else hours end`;
  const ranges = sql<{ readonly unit: 'day' | 'hour'; readonly day: number; before: number; hours: number }>`(
    select 'day' as unit, day, before, ${whole} as hours from (${rangesOf(sql`hours = ${whole}`)}) as days
    union all select 'day' as unit, day, day as before, hours
      from log_days_summed where hours > 0 and hours < ${whole}
    union all select 'hour' as unit, day, before, ${whole} as hours
      from (${rangesOf(sql`${named} = ${whole}`)}) as named_days
    union all select 'hour' as unit, day, day as before, ${named} as hours
      from log_days_summed where ${named} > 0 and ${named} < ${whole})`;
  const rows = await query.selectFrom(ranges.as('ranges')).selectAll().orderBy('day').execute();
  const days: { from: number; before: number; begun?: number }[] = [];
  const hours: { from: number; before: number }[] = [];
  for (const { unit, day, before, hours: count } of rows) {
    const isBegun = count < hoursPerDay;
    if (unit === 'hour') {
      const [from, end] = [day * hoursPerDay, before * hoursPerDay + (isBegun ? count : 0)];
      const last = hours.at(-1);
      if (last?.before === from) last.before = end;
      else hours.push({ from, before: end });
      continue;
    }
    const last = days.at(-1);
    if (!isBegun) days.push({ from: day, before });
    else if (last?.before === day && last.begun === undefined) last.begun = count;
    else days.push({ from: day, before, begun: count });
  }
  return { days, hours };
};

const wholeDays = (runs: readonly SummedDays[]): SummedDays[] =>
  runs.map(({ from, before }) => ({ from, before })).filter(({ from, before }) => from < before);

/** The whole days in the day tables. */
export const readSummedDays = async (query: ReadQueries): Promise<SummedDays[]> =>
  wholeDays((await readSummed(query)).days);

/**
 * Reads sums of days also where they have but some hours yet. An hour that is added to them meanwhile may be read twice,
 * so the sums are then read again from whole days. Hours that are added to the hour tables change no sum there: only with
 * their day are they taken out again.
 */
export const readSums = async <Result>(db: Database, run: (summed: Summed) => Promise<Result>): Promise<Result> => {
  const before = await readSummed(db.read);
  const result = await run(before);
  const after = await readSummed(db.read);
  if (JSON.stringify(after.days) === JSON.stringify(before.days)) return result;
  return run({ ...after, days: wholeDays(after.days) });
};

/** Part of a range of hours: days as far as they are summed, or hours beside them. */
interface Stretch {
  readonly unit: 'hour' | 'day';
  readonly from: number;
  readonly before: number;
}

/** Splits a range of hours into the days that are summed and the hours beside them, oldest first. */
export const splitHours = ({ from, before }: HourRange, summed: readonly SummedDays[]): Stretch[] => {
  const stretches: Stretch[] = [];
  let next = from;
  const add = (stretch: Stretch): void => {
    if (stretch.from < stretch.before) stretches.push(stretch);
  };
  for (const run of summed) {
    const first = Math.max(run.from, Math.ceil(from / hoursPerDay));
    const hours = run.before * hoursPerDay + (run.begun ?? 0);
    const isAll = before >= hours;
    const end = isAll ? Math.ceil(hours / hoursPerDay) : Math.min(run.before, Math.floor(before / hoursPerDay));
    if (first >= end) continue;
    add({ unit: 'hour', from: next, before: first * hoursPerDay });
    add({ unit: 'day', from: first, before: end });
    next = isAll ? hours : end * hoursPerDay;
  }
  add({ unit: 'hour', from: next, before });
  return stretches;
};

/** Splits a range of hours into those that the hour tables have and the others, oldest first. */
export const splitByName = (
  { from, before }: HourRange,
  named: readonly HourRange[],
): (HourRange & { readonly isNamed: boolean })[] => {
  const parts: (HourRange & { readonly isNamed: boolean })[] = [];
  let next = from;
  for (const range of named) {
    const [first, end] = [Math.max(range.from, from), Math.min(range.before, before)];
    if (first >= end) continue;
    if (next < first) parts.push({ from: next, before: first, isNamed: false });
    parts.push({ from: first, before: end, isNamed: true });
    next = end;
  }
  if (next < before) parts.push({ from: next, before, isNamed: false });
  return parts;
};
