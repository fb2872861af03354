import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { createBudget, deleteBudget, getBudget, listBudgets, updateBudget } from '@weir/contract/limits/budgets';
import type { Budget, BudgetInput } from '@weir/contract/limits/budgets';
import { call } from '../../lib/api/call.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import type { BudgetsSearch } from './budgets-search.ts';

const key = ['budgets'] as const;

/** The query of the list, which is whole. */
export const budgetsList = ({ q }: Pick<BudgetsSearch, 'q'>) => ({
  key: [...key, q ?? ''],
  whole: true,
  fetchPage: (_: number, signal: AbortSignal): Promise<Budget[]> =>
    call(listBudgets, { query: { keyword: q ?? '' }, signal }),
});

export const budgetQuery = (id: number) =>
  queryOptions({
    queryKey: ['budget', id],
    queryFn: ({ signal }) => call(getBudget, { params: { id }, signal }),
    staleTime: 0,
  });

/** Creates a budget, or changes the terms of the one of an ID. */
export const saveBudget = async (client: QueryClient, id: number | undefined, budget: BudgetInput): Promise<void> => {
  const { amount, rollover, hard } = budget;
  if (id === undefined) await call(createBudget, { body: budget });
  else await call(updateBudget, { body: { id, amount, rollover, hard } });
  client.removeQueries({ queryKey: ['budget'] });
  await client.invalidateQueries({ queryKey: key });
};

export const removeBudget = async (client: QueryClient, { id }: Budget): Promise<void> => {
  await call(deleteBudget, { params: { id } });
  patchRow<Budget>(client, key, id, { deleted: true });
};
