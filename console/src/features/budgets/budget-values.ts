import { budgetAmountMax } from '@weir/contract/limits/budget-rules';
import type { BudgetPeriod, BudgetScope } from '@weir/contract/limits/budget-rules';
import type { Budget, BudgetInput } from '@weir/contract/limits/budgets';
import type { BudgetsSearch } from './budgets-search.ts';

/** The form as it is being filled in. */
export interface BudgetValues {
  readonly scope: BudgetScope;
  /** The ID as typed; not used for models. */
  readonly subject: string;
  /** Used for models alone. */
  readonly model: string;
  readonly period: BudgetPeriod;
  readonly zone: string;
  /** Quota; NaN: what is typed is no number. */
  readonly amount: number;
  readonly rollover: boolean;
  readonly hard: boolean;
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const newBudget = ({ scope, subject }: BudgetsSearch): BudgetValues => ({
  scope: scope ?? 'token',
  subject: subject === undefined ? '' : String(subject),
  model: '',
  period: 'day',
  zone: ownZone(),
  amount: 500_000,
  rollover: false,
  hard: true,
});

export const valuesOf = ({
  scope,
  subject_id: id,
  model,
  period,
  zone,
  amount,
  rollover,
  hard,
}: Budget): BudgetValues => ({
  scope,
  subject: String(id),
  model,
  period,
  zone,
  amount,
  rollover,
  hard,
});

export const isAmountWrong = ({ amount }: BudgetValues): boolean =>
  !Number.isSafeInteger(amount) || amount < 1 || amount > budgetAmountMax;

export const isSubjectWrong = ({ scope, subject, model }: BudgetValues): boolean =>
  scope === 'model' ? model.trim() === '' : !/^\s*[1-9]\d{0,14}\s*$/.test(subject);

/** The request body of the form, once nothing in it is wrong. */
export const fieldsOf = ({ scope, subject, model, ...terms }: BudgetValues): BudgetInput => ({
  scope,
  subject_id: scope === 'model' ? 0 : Number(subject),
  model: scope === 'model' ? model.trim() : '',
  ...terms,
});
