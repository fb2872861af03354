import { useQueryClient } from '@tanstack/react-query';
import { redemptionStatus } from '@weir/contract/redemptions';
import type { Redemption } from '@weir/contract/redemptions';
import { useMemo, useState } from 'react';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { ListViews } from '../../components/list/list-toolbar.tsx';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import { bulkRemoval } from '../../components/list/row-actions.ts';
import { useListState } from '../../components/list/use-list-state.ts';
import type { BulkAction } from '../../components/table/data-table-types.ts';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { redemptionColumns } from './columns.tsx';
import { redemptionsList, remove, setStatus } from './queries.ts';
import { redemptionEntries } from './redemption-entries.ts';
import { viewKeeps } from './redemption-status.ts';
import { redemptionsSearch } from './redemptions-search.ts';
import type { RedemptionsSearch } from './redemptions-search.ts';
import { useRedemptionActions } from './use-redemption-actions.ts';

const texts = {
  title: m.redemption_title,
  search: m.redemption_search,
  empty: [m.redemption_empty_title, m.redemption_empty_text],
  noMatch: m.redemption_none_title,
} as const;

const viewLabels = {
  unused: m.redemption_view_unused,
  disabled: m.redemption_view_disabled,
  used: m.redemption_view_used,
} as const;

const source = {
  read: redemptionsSearch,
  pages: redemptionsList,
  keepOf: ({ view }: RedemptionsSearch) => view && viewKeeps(view),
};

const useBulk = (): readonly BulkAction<Redemption>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'play', run: (code) => setStatus(client, code, redemptionStatus.unused) },
      { text: m.disable, icon: 'pause', run: (code) => setStatus(client, code, redemptionStatus.disabled) },
      {
        text: m.redemption_copy_many,
        icon: 'copy',
        // Copies all codes at once; false, so that nothing runs per row and the rows stay selected.
        allow: async (codes) => {
          await copyAloud(codes.map(({ key }) => key).join('\n'));
          return false;
        },
        run: () => Promise.resolve(),
      },
      bulkRemoval({
        title: m.redemption_delete_many_title,
        text: m.redemption_delete_many_text,
        verb: m.redemption_delete,
        nameOf: ({ id, name }) => `${id} · ${name}`,
        run: (code) => remove(client, code),
      }),
    ],
    [client],
  );
};

/** `/redemption` */
export const RedemptionsScreen = () => (
  <ListUnderSheet path="/redemption">
    <RedemptionsList />
  </ListUnderSheet>
);

const RedemptionsList = () => {
  const t = useT();
  const state = useListState(source);
  const { view } = state.search;
  const [refused, setRefused] = useState<string>();
  const actions = useRedemptionActions(setRefused);
  const bulk = useBulk();
  return (
    <ListScreen
      name="redemptions"
      icon="ticket"
      texts={texts}
      state={state}
      columns={redemptionColumns}
      add={{ href: '/redemption/add', text: m.redemption_add }}
      filters={
        <ListViews
          labels={viewLabels}
          current={view}
          onPick={(picked) => state.patch({ view: picked, p: undefined })}
        />
      }
      chosen={{ view: view && t(viewLabels[view]) }}
      offered={refused}
      nameOf={({ name, id }) => name || String(id)}
      onOpen={actions.edit}
      entriesOf={(code) => redemptionEntries(code, actions, t)}
      onCopy={(code) => actions.copy(code.key)}
      renderQuick={({ key, name }) => (
        <CopyButton text={key} label={t(m.redemption_copy_named, { name })} onRefused={setRefused} />
      )}
      bulk={bulk}
    />
  );
};
