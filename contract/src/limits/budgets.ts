import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { idParams, integer, integerInput, textInput, textQuery, zoneInput } from '../wire.ts';
import { budgetAmountMax, budgetPeriods, budgetScopes } from './budget-rules.ts';

export const budgetSchema = v.object({
  id: integer,
  scope: v.picklist(budgetScopes),
  /** The token, user or member of a team, by its membership; 0: a model. */
  subject_id: integer,
  /** Empty: no model. */
  model: v.string(),
  /** The present name of the token, the user or the member. */
  subject_name: v.string(),
  /** The name of the user, of the token's owner, or of the team; empty: a model. */
  owner: v.string(),
  period: v.picklist(budgetPeriods),
  zone: v.string(),
  /** Quota for a period. */
  amount: integer,
  /** What a period leaves is added to the next one, at most the amount. */
  rollover: v.boolean(),
  /** Calls beyond it are refused; otherwise it is only counted, and alert rules report it. */
  hard: v.boolean(),
  /** Made by an administrator: the owner of the token may not change it. */
  by_admin: v.boolean(),
  /** Unix seconds. */
  created_time: integer,
  /** The present period, in unix seconds: its start, and that of the next one. */
  period_start: integer,
  period_end: integer,
  /** The amount of the present period, and what was carried over to it. */
  granted: integer,
  /** Quota that running calls hold. */
  held: integer,
  /** Quota that was charged. */
  used: integer,
});
export type Budget = v.InferOutput<typeof budgetSchema>;

const termsInput = {
  amount: v.pipe(integerInput, v.minValue(1), v.maxValue(budgetAmountMax)),
  rollover: v.optional(v.boolean(), false),
  hard: v.optional(v.boolean(), true),
};

const createInput = v.object({
  scope: v.picklist(budgetScopes),
  subject_id: v.optional(integerInput, 0),
  model: v.optional(v.pipe(textInput(200), v.trim()), ''),
  period: v.picklist(budgetPeriods),
  zone: zoneInput,
  ...termsInput,
});
export type BudgetInput = v.InferOutput<typeof createInput>;

export const listBudgets = endpoint({
  method: 'GET',
  path: '/api/budget/',
  access: 'user',
  effect: false,
  summary:
    'Budgets whose name, owner, model or ID matches the keyword, latest first, at most 1,000: those of your account and your tokens, of teams that you manage, and all of them for administrators.',
  query: v.object({ keyword: textQuery }),
  data: v.array(budgetSchema),
});
export const getBudget = endpoint({
  method: 'GET',
  path: '/api/budget/:id',
  access: 'user',
  effect: false,
  summary: 'One of these budgets.',
  params: idParams,
  data: budgetSchema,
});
export const createBudget = endpoint({
  method: 'POST',
  path: '/api/budget/',
  access: 'user',
  effect: true,
  summary:
    'Create a budget of one of your tokens, or of a team that you manage, its tokens and members; administrators also of users, their tokens, and models. It counts on every node at once.',
  body: createInput,
  data: budgetSchema,
});
export const updateBudget = endpoint({
  method: 'PUT',
  path: '/api/budget/',
  access: 'user',
  effect: true,
  summary: 'Change the terms of a budget. The present period gets the difference of the amounts at once.',
  body: v.object({ id: integerInput, ...termsInput }),
  data: budgetSchema,
});
export const deleteBudget = endpoint({
  method: 'DELETE',
  path: '/api/budget/:id',
  access: 'user',
  effect: true,
  summary: 'Delete a budget; it limits nothing from now on.',
  params: idParams,
});
