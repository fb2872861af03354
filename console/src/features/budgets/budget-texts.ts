import type { BudgetScope } from '@weir/contract/limits/budget-rules';
import type { Budget } from '@weir/contract/limits/budgets';
import { budgetPeriodTexts } from '../../components/limits/limit-texts.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

export const scopeTexts: Readonly<Record<BudgetScope, Message>> = {
  token: m.budget_scope_token,
  user: m.budget_scope_user,
  model: m.budget_scope_model,
  member: m.budget_scope_member,
};

/** What a budget is of, such as “production (#3)”. */
export const subjectText = ({ scope, subject_name: name, subject_id: id, model }: Budget): string =>
  scope === 'model' ? model : `${name} (#${id})`;

/** The budget in a line, for confirmations. */
export const nameOf = (budget: Budget, t: Translate): string =>
  [t(scopeTexts[budget.scope]), subjectText(budget), t(budgetPeriodTexts[budget.period])].join(' · ');

/** What calls may still spend in the present period. */
export const leftOf = ({ granted, held, used }: Budget): number => Math.max(0, granted - held - used);
