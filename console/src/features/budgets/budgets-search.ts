import { budgetScopes } from '@weir/contract/limits/budget-rules';
import { listParams } from '../../lib/lists/list-search.ts';
import { oneOf, searchOf, whole } from '../../lib/lists/search-params.ts';

/** The search parameters of the list of budgets, and what a new one is of. */
export const budgetsSearch = searchOf({
  ...listParams,
  scope: oneOf(budgetScopes),
  subject: whole(1, 1e15),
});
export type BudgetsSearch = ReturnType<typeof budgetsSearch>;
