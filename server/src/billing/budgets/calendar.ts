import type { BudgetPeriod } from '@weir/contract/limits/budget-rules';
import type { PeriodTimes } from '../../store/budgets/open-period.ts';
import { clockIn, instantOf } from '../price/times/local-time.ts';

const dayMs = 86_400_000;

/** The first day of the period of a day, so many periods later. Both as midnights in UTC. */
const firstDay = (period: BudgetPeriod, day: Date, later: number): number => {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  if (period === 'month') return Date.UTC(year, month + later, 1);
  if (period === 'day') return Date.UTC(year, month, date + later);
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return Date.UTC(year, month, date - sinceMonday + 7 * later);
};

/** The day, week or month of an instant by the calendar of a zone: from a midnight there to another. */
export const periodAt = (period: BudgetPeriod, zone: string, atMs: number): PeriodTimes => {
  const clock = clockIn(zone, atMs);
  const today = new Date(clock - (clock % dayMs));
  const start = (later: number): number => instantOf(zone, firstDay(period, today, later)) / 1000;
  return { from: start(0), before: start(1), previousFrom: start(-1) };
};
