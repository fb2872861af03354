import { useQueryClient } from '@tanstack/react-query';
import type { Redemption } from '@weir/contract/redemptions';
import { useMemo, useState } from 'react';
import { AddLink } from '../../components/list/add-link.tsx';
import type { ButtonLook } from '../../components/button.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import type { BulkAction } from '../../components/table/data-table-types.ts';
import { Empty } from '../../components/empty.tsx';
import { ListToolbar, ListViews } from '../../components/list/list-toolbar.tsx';
import { ListFacts } from '../../components/list/list-tools.tsx';
import { NoMatch } from '../../components/list/no-match.tsx';
import { confirm } from '../../components/overlay/overlays.ts';
import { PageHead } from '../../components/page-head.tsx';
import { RefreshButton } from '../../components/list/refresh-button.tsx';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import type { PagedList } from '../../lib/lists/paged-list.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { redemptionColumns } from './columns.tsx';
import { remove, setStatus } from './queries.ts';
import { redemptionEntries } from './redemption-entries.ts';
import { viewKeeps } from './redemption-status.ts';
import { redemptionViews } from './redemptions-search.ts';
import type { RedemptionsSearch } from './redemptions-search.ts';
import { useRedemptionActions } from './use-redemption-actions.ts';

interface RedemptionsListProps {
  readonly list: PagedList<Redemption>;
  readonly search: RedemptionsSearch;
  readonly patch: Patch<RedemptionsSearch>;
  readonly onLoadAll: () => void;
}

const viewWords = {
  unused: m.redemption_view_unused,
  disabled: m.redemption_view_disabled,
  used: m.redemption_view_used,
} as const;

const useBulk = (): readonly BulkAction<Redemption>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'play', run: (code) => setStatus(client, code, 1) },
      { text: m.disable, icon: 'pause', run: (code) => setStatus(client, code, 2) },
      {
        text: m.redemption_copy_many,
        icon: 'copy',
        // Done at once for all of them: nothing is left to run for each, and they stay chosen.
        allow: async (codes) => {
          await copyAloud(codes.map(({ key }) => key).join('\n'));
          return false;
        },
        run: () => Promise.resolve(),
      },
      {
        text: m.delete,
        icon: 'trash',
        danger: true,
        run: (code) => remove(client, code),
        allow: (codes) =>
          confirm({
            title: m.redemption_delete_many_title({ count: codes.length }),
            text: m.redemption_delete_many_text(),
            verb: m.redemption_delete(),
            danger: true,
            list: codes.map(({ id, name }) => `${id} · ${name}`),
          }),
      },
    ],
    [client],
  );
};

export const RedemptionsList = (props: RedemptionsListProps) => {
  const { list, search, patch, onLoadAll } = props;
  const t = useT();
  const [refused, setRefused] = useState<string>();
  const actions = useRedemptionActions(setRefused);
  const bulk = useBulk();
  const { view } = search;
  const keep = useMemo(() => (view ? viewKeeps(view) : undefined), [view]);
  const add = (look: ButtonLook) => <AddLink href="/redemption/add" text={t(m.redemption_add)} look={look} />;
  const clear = (): void => patch({ q: undefined, view: undefined, p: undefined });
  return (
    <>
      <PageHead title={t(m.redemption_title)} facts={<ListFacts list={list} />}>
        {add('primary')}
      </PageHead>
      <Toolbar {...props} offered={refused} keep={keep} />
      <DataTable
        name="redemptions"
        label={t(m.redemption_title)}
        columns={redemptionColumns}
        list={list}
        search={search}
        patch={patch}
        keep={keep}
        nameOf={({ name, id }) => name || String(id)}
        onOpen={actions.edit}
        entriesOf={(code) => redemptionEntries(code, actions, t)}
        onCopy={(code) => actions.copy(code.key)}
        renderQuick={({ key, name }) => (
          <CopyButton text={key} label={t(m.redemption_copy_named, { name })} onRefused={setRefused} />
        )}
        bulk={bulk}
        onLoadAll={onLoadAll}
        empty={
          <Empty icon="ticket" title={t(m.redemption_empty_title)} text={t(m.redemption_empty_text)}>
            {add('primary')}
          </Empty>
        }
        noMatch={
          <NoMatch
            title={t(m.redemption_none_title)}
            filters={[search.q && t(m.searched_for, { text: search.q }), view && t(viewWords[view])]}
            onClear={clear}
          />
        }
        footer={
          <>
            {add('plain')}
            <RefreshButton list={list} />
          </>
        }
      />
    </>
  );
};

interface ToolbarProps extends RedemptionsListProps {
  readonly offered: string | undefined;
  readonly keep: ((code: Redemption) => boolean) | undefined;
}

const Toolbar = ({ list, search, patch, offered, keep }: ToolbarProps) => {
  const t = useT();
  return (
    <ListToolbar
      name="redemptions"
      columns={redemptionColumns}
      list={list}
      search={search}
      patch={patch}
      keep={keep}
      searchLabel={t(m.redemption_search)}
      offered={offered}
    >
      <ListViews
        current={search.view}
        views={redemptionViews.map((id) => [id, t(viewWords[id])] as const)}
        onPick={(view) => patch({ view, p: undefined })}
      />
    </ListToolbar>
  );
};
