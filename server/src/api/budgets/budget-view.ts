import type { Budget } from '@weir/contract/limits/budgets';
import { periodAt } from '../../billing/budgets/calendar.ts';
import { periodsOf } from '../../store/budgets/budgets.ts';
import type { NamedBudget } from '../../store/budgets/list-budgets.ts';
import { carriedOver, type PeriodRow, type PeriodTimes } from '../../store/budgets/open-period.ts';
import type { ReadQueries } from '../../store/database.ts';

/** What the present period has: as it is stored, or as its first call would open it. */
const figuresOf = (row: NamedBudget, times: PeriodTimes, own: readonly PeriodRow[]) => {
  const current = own.find(({ starts_at }) => starts_at === times.from);
  if (current !== undefined) return { granted: current.granted, held: current.held, used: current.used };
  const previous = own.find(({ starts_at }) => starts_at === times.previousFrom);
  return { granted: row.amount + carriedOver(row, times, { previous, reserved: 0 }), held: 0, used: 0 };
};

/** Budgets with their present periods, as the wire has them. */
export const toBudgets = async (read: ReadQueries, rows: readonly NamedBudget[], nowMs: number): Promise<Budget[]> => {
  const known = new Map<string, PeriodTimes>();
  const timesOf = ({ period, zone }: NamedBudget): PeriodTimes => {
    const name = `${period} ${zone}`;
    const times = known.get(name) ?? periodAt(period, zone, nowMs);
    known.set(name, times);
    return times;
  };
  const since = Math.min(...rows.map((row) => timesOf(row).previousFrom));
  const periods = Map.groupBy(
    await periodsOf(
      read,
      rows.map(({ id }) => id),
      { since },
    ),
    ({ budget_id: id }) => id,
  );
  return rows.map((row) => {
    const times = timesOf(row);
    return {
      id: row.id,
      scope: row.scope,
      subject_id: row.subject_id,
      model: row.model,
      subject_name: row.token_name ?? row.member_name ?? row.owner ?? '',
      owner: row.owner ?? '',
      period: row.period,
      zone: row.zone,
      amount: row.amount,
      rollover: row.rollover === 1,
      hard: row.hard === 1,
      by_admin: row.by_admin === 1,
      created_time: row.created_time,
      period_start: times.from,
      period_end: times.before,
      ...figuresOf(row, times, periods.get(row.id) ?? []),
    };
  });
};
