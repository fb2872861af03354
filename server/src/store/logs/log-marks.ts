import { sql } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import { hoursPerDay } from './log-sum-tables.ts';

/** Whole days that are in the day tables, from `from` to before `before`. Others are to be read by the hour. */
export interface SummedDays {
  readonly from: number;
  readonly before: number;
  /** Hours of the day `before` that the day tables have too, from its first on. */
  readonly begun?: number;
}

/**
 * Days and hours in the day tables, oldest first: one range, or more while a day that got a late row is out. Whole days
 * that follow each other are one row, so that a year takes as long to read as a week.
 */
const readSummedHours = async (query: ReadQueries): Promise<SummedDays[]> => {
  const ranges = sql<{ readonly day: number; readonly before: number; readonly hours: number }>`(
    select min(day) as day, max(day) + 1 as before, ${sql.lit(hoursPerDay)} as hours
      from (select day, day - row_number() over (order by day) as range
        from log_days_summed where hours = ${sql.lit(hoursPerDay)}) as whole group by range
    union all select day, day as before, hours
      from log_days_summed where hours > 0 and hours < ${sql.lit(hoursPerDay)})`;
  const rows = await query.selectFrom(ranges.as('ranges')).selectAll().orderBy('day').execute();
  const runs: { from: number; before: number; begun?: number }[] = [];
  for (const { day, before, hours } of rows) {
    const last = runs.at(-1);
    if (hours === hoursPerDay) runs.push({ from: day, before });
    else if (last?.before === day && last.begun === undefined) last.begun = hours;
    else runs.push({ from: day, before, begun: hours });
  }
  return runs;
};

const wholeDays = (runs: readonly SummedDays[]): SummedDays[] =>
  runs.map(({ from, before }) => ({ from, before })).filter(({ from, before }) => from < before);

/** The whole days in the day tables. */
export const readSummedDays = async (query: ReadQueries): Promise<SummedDays[]> =>
  wholeDays(await readSummedHours(query));

/**
 * Reads sums of days also where they have but some hours yet. An hour that is added to them meanwhile may be read twice,
 * so the sums are then read again from whole days.
 */
export const readSums = async <Result>(
  db: Database,
  run: (summed: readonly SummedDays[]) => Promise<Result>,
): Promise<Result> => {
  const before = await readSummedHours(db.read);
  const result = await run(before);
  const after = await readSummedHours(db.read);
  return JSON.stringify(after) === JSON.stringify(before) ? result : run(wholeDays(after));
};

/** Part of a range of hours: days as far as they are summed, or hours beside them. */
interface Stretch {
  readonly unit: 'hour' | 'day';
  readonly from: number;
  readonly before: number;
}

/** Splits a range of hours into the days that are summed and the hours beside them, oldest first. */
export const splitHours = (
  { from, before }: { readonly from: number; readonly before: number },
  summed: readonly SummedDays[],
): Stretch[] => {
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
