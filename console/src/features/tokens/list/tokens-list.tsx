import { useQueryClient } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useMemo, useState } from 'react';
import { AddLink } from '../../../components/list/add-link.tsx';
import { buttonClass } from '../../../components/button.tsx';
import type { ButtonLook } from '../../../components/button.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { BulkAction } from '../../../components/table/data-table-types.ts';
import { Empty } from '../../../components/empty.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ListToolbar, ListViews } from '../../../components/list/list-toolbar.tsx';
import { ListFacts } from '../../../components/list/list-tools.tsx';
import { NoMatch } from '../../../components/list/no-match.tsx';
import { confirm } from '../../../components/overlay/overlays.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { RefreshButton } from '../../../components/list/refresh-button.tsx';
import { Select } from '../../../components/form/select.tsx';
import type { PagedList } from '../../../lib/lists/paged-list.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { tokenColumns } from './columns.tsx';
import { remove, setStatus } from '../queries.ts';
import { RefusedCopy } from './refused-copy.ts';
import { linkOf, tokenEntries } from './token-entries.ts';
import type { TokenActions } from './token-entries.ts';
import { nextChatLink } from '../detail/client-links.ts';
import { viewKeeps } from '../token-status.ts';
import { tokenViews } from './tokens-search.ts';
import type { TokensSearch } from './tokens-search.ts';
import { useTokenActions } from './use-token-actions.ts';

interface TokensListProps {
  readonly list: PagedList<Token>;
  readonly search: TokensSearch;
  readonly patch: Patch<TokensSearch>;
  readonly onLoadAll: () => void;
}

const viewWords = {
  enabled: m.token_view_enabled,
  expiring: m.token_view_expiring,
  exhausted: m.token_view_exhausted,
} as const;

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
  const add = (look: ButtonLook) => <AddLink href="/token/add" text={t(m.token_create)} look={look} />;
  const clear = (): void => patch({ q: undefined, view: undefined, p: undefined });
  return (
    <RefusedCopy value={setRefused}>
      <PageHead title={t(m.token_title)} facts={<ListFacts list={list} />}>
        {add('primary')}
      </PageHead>
      <Toolbar {...props} offered={refused} keep={keep} />
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
        empty={
          <Empty icon="key" title={t(m.token_empty_title)} text={t(m.token_empty_text)}>
            {add('primary')}
            <a className={buttonClass('quiet')} href="/">
              {t(m.token_empty_help)}
            </a>
          </Empty>
        }
        noMatch={
          <NoMatch
            title={t(m.token_none_title)}
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
    </RefusedCopy>
  );
};

interface ToolbarProps extends TokensListProps {
  readonly offered: string | undefined;
  readonly keep: ((token: Token) => boolean) | undefined;
}

const Toolbar = ({ list, search, patch, offered, keep }: ToolbarProps) => {
  const t = useT();
  return (
    <ListToolbar
      name="tokens"
      columns={tokenColumns}
      list={list}
      search={search}
      patch={patch}
      keep={keep}
      searchLabel={t(m.token_search)}
      offered={offered}
    >
      <ListViews
        current={search.view}
        views={tokenViews.map((id) => [id, t(viewWords[id])] as const)}
        onPick={(view) => patch({ view, p: undefined })}
      />
      <Select
        aria-label={t(m.order)}
        value={search.order ?? ''}
        choices={[
          ['', t(m.order_default)],
          ['remain_quota', t(m.token_order_remaining)],
          ['used_quota', t(m.token_order_used)],
        ]}
        className="max-md:min-w-0 max-md:basis-40 max-md:grow"
        onPick={(order) => patch({ order: order || undefined, p: undefined })}
      />
    </ListToolbar>
  );
};

const ChatButton = ({ token, actions }: { readonly token: Token; readonly actions: TokenActions }) => {
  const t = useT();
  const open = (): void => actions.open(nextChatLink(linkOf(token)));
  return <IconButton icon="chat" label={t(m.token_chat_named, { name: token.name })} onClick={open} />;
};
