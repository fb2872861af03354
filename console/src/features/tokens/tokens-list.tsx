import { useQueryClient } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useMemo, useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import type { ButtonLook } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { BulkAction } from '../../components/data-table-types.ts';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { ListFacts, ListTools } from '../../components/list-tools.tsx';
import { confirm } from '../../components/overlays.ts';
import { PageHead } from '../../components/page-head.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { Select } from '../../components/select.tsx';
import { ViewTabs } from '../../components/view-tabs.tsx';
import type { PagedList } from '../../lib/paged-list.ts';
import type { Patch } from '../../lib/use-search-state.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { tokenColumns } from './columns.tsx';
import { remove, setStatus } from './queries.ts';
import { RefusedCopy } from './refused-copy.ts';
import { linkOf, tokenEntries } from './token-entries.ts';
import type { TokenActions } from './token-entries.ts';
import { nextChatLink } from './client-links.ts';
import { viewKeeps } from './token-status.ts';
import type { TokensSearch } from './tokens-search.ts';
import { useTokenActions } from './use-token-actions.ts';

interface TokensListProps {
  readonly list: PagedList<Token>;
  readonly search: TokensSearch;
  readonly patch: Patch<TokensSearch>;
  readonly onLoadAll: () => void;
}

const useBulk = (): readonly BulkAction<Token>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'play', run: (token) => setStatus(client, token, 1) },
      { text: m.disable, icon: 'pause', run: (token) => setStatus(client, token, 2) },
      {
        text: m.delete,
        icon: 'trash',
        danger: true,
        run: (token) => remove(client, token),
        allow: (tokens) =>
          confirm({
            title: m.token_delete_many_title({ count: tokens.length }),
            text: m.token_delete_many_text(),
            verb: m.token_delete(),
            danger: true,
            list: tokens.map(({ name }) => name),
          }),
      },
    ],
    [client],
  );
};

export const TokensList = (props: TokensListProps) => {
  const { list, search, patch, onLoadAll } = props;
  const t = useT();
  const [refused, setRefused] = useState<string>();
  const actions = useTokenActions(setRefused);
  const bulk = useBulk();
  const { view } = search;
  const [openedAt] = useState(() => Date.now() / 1000);
  const keep = useMemo(() => (view ? viewKeeps(view, openedAt) : undefined), [view, openedAt]);
  return (
    <RefusedCopy value={setRefused}>
      <PageHead title={t(m.token_title)} facts={<ListFacts list={list} />}>
        <AddLink look="primary" />
      </PageHead>
      <Toolbar {...props} offered={refused} />
      <DataTable
        name="tokens"
        label={t(m.token_title)}
        columns={tokenColumns}
        list={list}
        search={search}
        patch={patch}
        keep={keep}
        nameOf={({ name }) => name || '—'}
        onOpen={actions.edit}
        entriesOf={(token) => tokenEntries(token, actions, t)}
        onCopy={(token) => actions.copy(`sk-${token.key}`)}
        renderQuick={(token) => <ChatButton token={token} actions={actions} />}
        bulk={bulk}
        onLoadAll={onLoadAll}
        empty={<NoTokens />}
        noMatch={<NoMatch onClear={() => patch({ q: undefined, view: undefined, p: undefined })} />}
        footer={<Footer onRefresh={list.refetch} busy={list.fetching} />}
      />
    </RefusedCopy>
  );
};

const Toolbar = ({ list, search, patch, offered }: TokensListProps & { readonly offered: string | undefined }) => {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <SearchBox
        label={t(m.token_search)}
        value={search.q ?? ''}
        offered={offered}
        onSearch={(q) => patch({ q: q || undefined, p: undefined })}
      />
      <ViewTabs
        label={t(m.view)}
        current={search.view ?? 'all'}
        views={[
          ['all', t(m.view_all)],
          ['enabled', t(m.token_view_enabled)],
          ['expiring', t(m.token_view_expiring)],
          ['exhausted', t(m.token_view_exhausted)],
        ]}
        onPick={(view) => patch({ view: view === 'all' ? undefined : view, p: undefined })}
      />
      <Select
        aria-label={t(m.order)}
        value={search.order ?? ''}
        choices={[
          ['', t(m.order_default)],
          ['remain_quota', t(m.token_order_remaining)],
          ['used_quota', t(m.token_order_used)],
        ]}
        className="max-md:min-w-0 max-md:flex-1"
        onPick={(order) => patch({ order: order || undefined, p: undefined })}
      />
      <div className="ml-auto">
        <ListTools name="tokens" columns={tokenColumns} list={list} search={search} patch={patch} />
      </div>
    </div>
  );
};

const AddLink = ({ look }: { readonly look: ButtonLook }) => {
  const t = useT();
  return (
    <a className={buttonClass(look)} href="/token/add" aria-keyshortcuts="n">
      <Icon name="plus" />
      {t(m.token_create)}
    </a>
  );
};

const ChatButton = ({ token, actions }: { readonly token: Token; readonly actions: TokenActions }) => {
  const t = useT();
  const open = (): void => actions.open(nextChatLink(linkOf(token)));
  return <IconButton icon="chat" label={t(m.token_chat_named, { name: token.name })} onClick={open} />;
};

const NoTokens = () => {
  const t = useT();
  return (
    <Empty icon="key" title={t(m.token_empty_title)} text={t(m.token_empty_text)}>
      <AddLink look="primary" />
    </Empty>
  );
};

const NoMatch = ({ onClear }: { readonly onClear: () => void }) => {
  const t = useT();
  return (
    <Empty icon="search" title={t(m.token_none_title)} text={t(m.token_none_text)}>
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
