import type { BudgetPeriod, BudgetScope } from '@weir/contract/limits/budget-rules';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction, ReadQueries } from '../database.ts';
import { type BudgetRow, lockBudget, type PeriodRow } from './open-period.ts';

/** What a budget is of: a token, a user or a member of a team by its ID, or a model by its name. */
export interface BudgetSubject {
  readonly scope: BudgetScope;
  /** 0: a model. */
  readonly subjectId: number;
  /** Empty: no model. */
  readonly model: string;
}

/** What a change may set. */
export interface BudgetTerms {
  /** Quota units for a period. */
  readonly amount: number;
  readonly rollover: boolean;
  readonly hard: boolean;
}

export interface NewBudget extends BudgetSubject, BudgetTerms {
  readonly period: BudgetPeriod;
  readonly zone: string;
  readonly byAdmin: boolean;
  /** Unix seconds. */
  readonly at: number;
}

const termColumns = ({ amount, rollover, hard }: BudgetTerms) => ({
  amount,
  rollover: rollover ? 1 : 0,
  hard: hard ? 1 : 0,
});

/** The budgets of subjects, in the order of their creation. */
export const budgetsOf = (read: ReadQueries, subjects: readonly BudgetSubject[]): Promise<BudgetRow[]> =>
  read
    .selectFrom('budgets')
    .selectAll()
    .where((eb) =>
      eb.or(
        subjects.map(({ scope, subjectId, model }) =>
          eb.and([eb('scope', '=', scope), eb('subject_id', '=', subjectId), eb('model', '=', model)]),
        ),
      ),
    )
    .orderBy('id')
    .execute();

/** Whether there are any. */
export const hasBudgets = async (read: ReadQueries): Promise<boolean> =>
  (await read.selectFrom('budgets').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Undefined: the subject has a budget of this period already. */
export const insertBudget = (
  trx: DatabaseTransaction,
  { scope, subjectId, model, period, zone, byAdmin, at, ...terms }: NewBudget,
): Promise<BudgetRow | undefined> =>
  trx
    .insertInto('budgets')
    .values({
      scope,
      subject_id: subjectId,
      model,
      period,
      zone,
      ...termColumns(terms),
      by_admin: byAdmin ? 1 : 0,
      created_time: at,
    })
    .onConflict((on) => on.columns(['scope', 'subject_id', 'model', 'period']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** Sets the terms; periods that have not ended get the difference of the amounts at once. Undefined: there is no such budget. */
export const changeBudget = async (
  db: Pick<Database, 'kind'>,
  trx: DatabaseTransaction,
  { id, at, ...terms }: BudgetTerms & { readonly id: number; readonly at: number },
): Promise<BudgetRow | undefined> => {
  const before = await lockBudget(db, trx, id);
  if (before === undefined) return undefined;
  const more = sql.lit(terms.amount - before.amount);
  await trx
    .updateTable('budget_periods')
    // What a node with a fast clock has carried over already may be less than the difference.
    .set({ granted: sql`case when granted + ${more} < 0 then 0 else granted + ${more} end` })
    .where('budget_id', '=', id)
    .where('ends_at', '>', at)
    .execute();
  return trx.updateTable('budgets').set(termColumns(terms)).where('id', '=', id).returningAll().executeTakeFirst();
};

/** Its periods stay, as entries of the ledger name them. */
export const deleteBudget = (trx: DatabaseTransaction, id: number): Promise<BudgetRow | undefined> =>
  trx.deleteFrom('budgets').where('id', '=', id).returningAll().executeTakeFirst();

/** The periods of budgets that start at or after a time, latest first. */
export const periodsOf = (
  read: ReadQueries,
  budgetIds: readonly number[],
  { since }: { readonly since: number },
): Promise<PeriodRow[]> =>
  budgetIds.length === 0
    ? Promise.resolve([])
    : read
        .selectFrom('budget_periods')
        .selectAll()
        .where('budget_id', 'in', budgetIds)
        .where('starts_at', '>=', since)
        .orderBy('starts_at', 'desc')
        .execute();
