/** What a budget is of. A token is a key of a user; a model counts the calls of all users; a member those of its keys of a team. */
export const budgetScopes = ['token', 'user', 'model', 'member'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** By the calendar of a time zone; weeks begin on Monday. */
export const budgetPeriods = ['day', 'week', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Budgets of one subject at most: one of each period. */
export const budgetAmountMax = 1e15;
