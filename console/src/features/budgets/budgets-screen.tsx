import { useQueryClient } from '@tanstack/react-query';
import type { Budget } from '@weir/contract/limits/budgets';
import { can } from '@weir/contract/roles';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import { confirmRemoval } from '../../components/list/row-actions.ts';
import { useListState } from '../../components/list/use-list-state.ts';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { currentUser } from '../../lib/api/session.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { nameOf } from './budget-texts.ts';
import { budgetsSearch } from './budgets-search.ts';
import { budgetColumns } from './columns.tsx';
import { budgetsList, removeBudget } from './queries.ts';

const texts = {
  title: m.budget_title,
  search: m.budget_search,
  empty: [m.budget_empty_title, m.budget_empty_text],
  noMatch: m.budget_none_title,
} as const;

const source = { read: budgetsSearch, pages: budgetsList };

/** `/budget` */
export const BudgetsScreen = () => (
  <ListUnderSheet path="/budget">
    <BudgetsList />
  </ListUnderSheet>
);

const edit = ({ id }: Budget): void => void navigate(`/budget/edit/${id}`, { keepSearch: true });

/** What an administrator has set, the owner of the token sees alone. */
const isFixed = ({ by_admin: byAdmin }: Budget): boolean => byAdmin && !can(currentUser()?.role, 'admin');

const BudgetsList = () => {
  const t = useT();
  const client = useQueryClient();
  const state = useListState(source);
  const remove = (budget: Budget): void =>
    void confirmRemoval(
      {
        title: m.budget_delete_title({ name: nameOf(budget, t) }),
        text: m.budget_delete_text(),
        verb: m.budget_delete(),
      },
      () => removeBudget(client, budget),
    );
  const changes = (budget: Budget): readonly MenuEntry[] => {
    const disabled = isFixed(budget);
    return [
      { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', disabled, run: () => edit(budget) },
      { kind: 'line' },
      {
        kind: 'action',
        sends: true,
        icon: 'trash',
        text: t(m.budget_delete),
        danger: true,
        disabled,
        run: () => remove(budget),
      },
    ];
  };
  const entriesOf = (budget: Budget): readonly MenuEntry[] =>
    isFixed(budget) ? [{ kind: 'group', text: t(m.budget_by_admin), entries: changes(budget) }] : changes(budget);
  return (
    <ListScreen
      name="budgets"
      icon="wallet"
      texts={texts}
      state={state}
      columns={budgetColumns}
      add={{ href: '/budget/add', text: m.budget_add }}
      nameOf={(budget) => nameOf(budget, t)}
      onOpen={(budget) => (isFixed(budget) ? undefined : edit(budget))}
      entriesOf={entriesOf}
    />
  );
};
