import { useQueryClient } from '@tanstack/react-query';
import type { RateLimit } from '@weir/contract/limits/rate-limits';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import { confirmRemoval } from '../../components/list/row-actions.ts';
import { useListState } from '../../components/list/use-list-state.ts';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { rateColumns } from './columns.tsx';
import { ratesList, removeRate } from './queries.ts';
import { nameOf } from './rate-texts.ts';
import { ratesSearch } from './rates-search.ts';

const texts = {
  title: m.rate_title,
  search: m.rate_search,
  empty: [m.rate_empty_title, m.rate_empty_text],
  noMatch: m.rate_none_title,
} as const;

const source = { read: ratesSearch, pages: ratesList };

/** `/rate-limit` */
export const RatesScreen = () => (
  <ListUnderSheet path="/rate-limit">
    <RatesList />
  </ListUnderSheet>
);

const edit = ({ id }: RateLimit): void => void navigate(`/rate-limit/edit/${id}`, { keepSearch: true });

const RatesList = () => {
  const t = useT();
  const client = useQueryClient();
  const state = useListState(source);
  const remove = (rule: RateLimit): void =>
    void confirmRemoval(
      { title: m.rate_delete_title({ name: nameOf(rule, t) }), text: m.rate_delete_text(), verb: m.rate_delete() },
      () => removeRate(client, rule),
    );
  const entriesOf = (rule: RateLimit): readonly MenuEntry[] => [
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => edit(rule) },
    { kind: 'line' },
    { kind: 'action', sends: true, icon: 'trash', text: t(m.rate_delete), danger: true, run: () => remove(rule) },
  ];
  return (
    <ListScreen
      name="rate-limits"
      icon="filter"
      texts={texts}
      state={state}
      columns={rateColumns}
      add={{ href: '/rate-limit/add', text: m.rate_add }}
      nameOf={(rule) => nameOf(rule, t)}
      onOpen={edit}
      entriesOf={entriesOf}
    />
  );
};
