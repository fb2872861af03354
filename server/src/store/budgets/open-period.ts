import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../database.ts';
import type { BudgetPeriodsTable, BudgetsTable } from './budget-tables.ts';

export type BudgetRow = Selectable<BudgetsTable>;
export type PeriodRow = Selectable<BudgetPeriodsTable>;

/** A period of the calendar, and the start of the one before. Unix seconds. */
export interface PeriodTimes {
  readonly from: number;
  readonly before: number;
  readonly previousFrom: number;
}

/** What a period left, as far as calls may still spend it. */
type Left = Pick<PeriodRow, 'granted' | 'held' | 'used'>;

/**
 * What a period gets from the one before: what that one left, at most the amount. A budget without a call in a period has
 * left all of it. `reserved`: quota units of calls that run in the period before and have no hold yet.
 */
export const carriedOver = (
  { amount, rollover, created_time }: Pick<BudgetRow, 'amount' | 'rollover' | 'created_time'>,
  { from }: PeriodTimes,
  { previous, reserved }: { readonly previous: Left | undefined; readonly reserved: number },
): number => {
  if (rollover === 0 || created_time >= from) return 0;
  const left = previous === undefined ? amount : previous.granted - previous.held - previous.used - reserved;
  return Math.max(0, Math.min(amount, left));
};

/** One transaction at a time may open periods of a budget, or change it. */
export const lockBudget = ({ kind }: Pick<Database, 'kind'>, trx: DatabaseTransaction, id: number) => {
  const query = trx.selectFrom('budgets').selectAll().where('id', '=', id);
  return (kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
};

const findPeriod = (trx: DatabaseTransaction, budgetId: number, from: number): Promise<PeriodRow | undefined> =>
  trx
    .selectFrom('budget_periods')
    .selectAll()
    .where('budget_id', '=', budgetId)
    .where('starts_at', '=', from)
    .executeTakeFirst();

/** Moves to the new period what the one before left. No node can spend it there any more, whatever its clock shows. */
const takeFromPrevious = async (
  db: Pick<Database, 'kind'>,
  trx: DatabaseTransaction,
  {
    budget,
    times,
    reservedIn,
  }: { readonly budget: BudgetRow; readonly times: PeriodTimes; readonly reservedIn: (periodId: number) => number },
): Promise<{ readonly carried: number; readonly takenFrom: number | null }> => {
  const query = trx
    .selectFrom('budget_periods')
    .selectAll()
    .where('budget_id', '=', budget.id)
    .where('starts_at', '=', times.previousFrom);
  const previous = await (db.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
  const reserved = previous === undefined ? 0 : reservedIn(previous.id);
  const carried = carriedOver(budget, times, { previous, reserved });
  if (previous === undefined || carried === 0) return { carried, takenFrom: null };
  await trx
    .updateTable('budget_periods')
    .set((on) => ({ granted: on('granted', '-', carried) }))
    .where('id', '=', previous.id)
    .execute();
  return { carried, takenFrom: previous.id };
};

export interface OpenedPeriod {
  readonly period: PeriodRow;
  /** The period whose rest was carried over, now; null: none. */
  readonly takenFrom: number | null;
}

interface OpenOptions {
  readonly times: PeriodTimes;
  /** Quota units of calls of a period, on this node, that have no hold yet. */
  readonly reservedIn: (periodId: number) => number;
}

/** The period of a budget, which is created at its first call. Undefined: the budget was deleted. */
export const openPeriod = (
  db: Pick<Database, 'kind' | 'write'>,
  budgetId: number,
  { times, reservedIn }: OpenOptions,
): Promise<OpenedPeriod | undefined> =>
  db.write.transaction().execute(async (trx) => {
    const budget = await lockBudget(db, trx, budgetId);
    if (budget === undefined) return undefined;
    const found = await findPeriod(trx, budgetId, times.from);
    if (found !== undefined) return { period: found, takenFrom: null };
    const { carried, takenFrom } =
      budget.rollover === 0
        ? { carried: 0, takenFrom: null }
        : await takeFromPrevious(db, trx, { budget, times, reservedIn });
    const columns = { budget_id: budgetId, starts_at: times.from, ends_at: times.before, held: 0, used: 0 };
    const period = await trx
      .insertInto('budget_periods')
      .values({ ...columns, granted: budget.amount + carried })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { period, takenFrom };
  });
