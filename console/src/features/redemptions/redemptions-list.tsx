import { useQueryClient } from '@tanstack/react-query';
import type { Redemption } from '@weir/contract/redemptions';
import { useMemo, useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import type { ButtonLook } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { BulkAction } from '../../components/data-table-types.ts';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListFacts, ListTools } from '../../components/list-tools.tsx';
import { confirm } from '../../components/overlays.ts';
import { PageHead } from '../../components/page-head.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { ViewTabs } from '../../components/view-tabs.tsx';
import type { PagedList } from '../../lib/paged-list.ts';
import type { Patch } from '../../lib/use-search-state.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { redemptionColumns } from './columns.tsx';
import { remove, setStatus } from './queries.ts';
import { redemptionEntries } from './redemption-entries.ts';
import { viewKeeps } from './redemption-status.ts';
import type { RedemptionsSearch } from './redemptions-search.ts';
import { useRedemptionActions } from './use-redemption-actions.ts';

interface RedemptionsListProps {
  readonly list: PagedList<Redemption>;
  readonly search: RedemptionsSearch;
  readonly patch: Patch<RedemptionsSearch>;
  readonly onLoadAll: () => void;
}

const useBulk = (): readonly BulkAction<Redemption>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'play', run: (code) => setStatus(client, code, 1) },
      { text: m.disable, icon: 'pause', run: (code) => setStatus(client, code, 2) },
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
  return (
    <>
      <PageHead title={t(m.redemption_title)} facts={<ListFacts list={list} />}>
        <AddLink look="primary" />
      </PageHead>
      <Toolbar {...props} offered={refused} />
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
        empty={<NoCodes />}
        noMatch={<NoMatch onClear={() => patch({ q: undefined, view: undefined, p: undefined })} />}
        footer={<Footer onRefresh={list.refetch} busy={list.fetching} />}
      />
    </>
  );
};

const Toolbar = ({ list, search, patch, offered }: RedemptionsListProps & { readonly offered: string | undefined }) => {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <SearchBox
        label={t(m.redemption_search)}
        value={search.q ?? ''}
        offered={offered}
        onSearch={(q) => patch({ q: q || undefined, p: undefined })}
      />
      <ViewTabs
        label={t(m.view)}
        current={search.view ?? 'all'}
        views={[
          ['all', t(m.view_all)],
          ['unused', t(m.redemption_view_unused)],
          ['disabled', t(m.redemption_view_disabled)],
          ['used', t(m.redemption_view_used)],
        ]}
        onPick={(view) => patch({ view: view === 'all' ? undefined : view, p: undefined })}
      />
      <div className="ml-auto">
        <ListTools name="redemptions" columns={redemptionColumns} list={list} search={search} patch={patch} />
      </div>
    </div>
  );
};

const AddLink = ({ look }: { readonly look: ButtonLook }) => {
  const t = useT();
  return (
    <a className={buttonClass(look)} href="/redemption/add" aria-keyshortcuts="n">
      <Icon name="plus" />
      {t(m.redemption_add)}
    </a>
  );
};

const NoCodes = () => {
  const t = useT();
  return (
    <Empty icon="ticket" title={t(m.redemption_empty_title)} text={t(m.redemption_empty_text)}>
      <AddLink look="primary" />
    </Empty>
  );
};

const NoMatch = ({ onClear }: { readonly onClear: () => void }) => {
  const t = useT();
  return (
    <Empty icon="search" title={t(m.redemption_none_title)} text={t(m.redemption_none_text)}>
      <Button onClick={onClear}>{t(m.clear_filters)}</Button>
    </Empty>
  );
};

const Footer = ({ onRefresh, busy }: { readonly onRefresh: () => void; readonly busy: boolean }) => {
  const t = useT();
  return (
    <>
      <AddLink look="plain" />
      <Button icon="refresh" aria-keyshortcuts="r" busy={busy} onClick={onRefresh}>
        {t(m.refresh)}
      </Button>
    </>
  );
};
