import { useQueryClient } from '@tanstack/react-query';
import { tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { useMemo, useState } from 'react';
import { buttonClass } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { ListOrder, ListViews } from '../../../components/list/list-toolbar.tsx';
import { ListUnderSheet } from '../../../components/list/list-under-sheet.tsx';
import { bulkRemoval } from '../../../components/list/row-actions.ts';
import { useListState } from '../../../components/list/use-list-state.ts';
import type { BulkAction } from '../../../components/table/data-table-types.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { nextChatLink } from '../detail/client-links.ts';
import { remove, setStatus, tokensList } from '../queries.ts';
import { viewKeeps } from '../token-status.ts';
import { tokenColumns } from './columns.tsx';
import { RefusedCopy } from './key-cell.tsx';
import { linkOf, tokenEntries } from './token-entries.ts';
import type { TokenActions } from './token-entries.ts';
import { tokensSearch } from './tokens-search.ts';
import type { TokensSearch } from './tokens-search.ts';
import { useTokenActions } from './use-token-actions.ts';

const texts = {
  title: m.token_title,
  search: m.token_search,
  empty: [m.token_empty_title, m.token_empty_text],
  noMatch: m.token_none_title,
} as const;

const viewLabels = {
  enabled: m.token_view_enabled,
  expiring: m.token_view_expiring,
  exhausted: m.token_view_exhausted,
} as const;

const orderLabels = { remain_quota: m.token_order_remaining, used_quota: m.token_order_used } as const;

const source = {
  read: tokensSearch,
  pages: tokensList,
  keepOf: ({ view }: TokensSearch) => view && viewKeeps(view, Date.now() / 1000),
};

const useBulk = (): readonly BulkAction<Token>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'play', run: (token) => setStatus(client, token, tokenStatus.enabled) },
      { text: m.disable, icon: 'pause', run: (token) => setStatus(client, token, tokenStatus.disabled) },
      bulkRemoval({
        title: m.token_delete_many_title,
        text: m.token_delete_many_text,
        verb: m.token_delete,
        nameOf: ({ name }) => name,
        run: (token) => remove(client, token),
      }),
    ],
    [client],
  );
};

/** `/token` */
export const TokensScreen = () => (
  <ListUnderSheet path="/token">
    <TokensList />
  </ListUnderSheet>
);

const TokensList = () => {
  const t = useT();
  const state = useListState(source);
  const { search, patch } = state;
  const [refused, setRefused] = useState<string>();
  const actions = useTokenActions(setRefused);
  const bulk = useBulk();
  return (
    <RefusedCopy value={setRefused}>
      <ListScreen
        name="tokens"
        icon="key"
        texts={texts}
        state={state}
        columns={tokenColumns}
        add={{ href: '/token/add', text: m.token_create }}
        filters={<Filters search={search} patch={patch} />}
        chosen={{ view: search.view && t(viewLabels[search.view]) }}
        offered={refused}
        nameOf={({ name }) => name || '—'}
        onOpen={actions.edit}
        entriesOf={(token) => tokenEntries(token, actions, t)}
        onCopy={(token) => actions.copy(`sk-${token.key}`)}
        renderQuick={(token) => <ChatButton token={token} actions={actions} />}
        bulk={bulk}
        help={
          <a className={buttonClass('quiet')} href="/">
            {t(m.token_empty_help)}
          </a>
        }
      />
    </RefusedCopy>
  );
};

interface FiltersProps {
  readonly search: TokensSearch;
  readonly patch: Patch<TokensSearch>;
}

const Filters = ({ search: { view, order }, patch }: FiltersProps) => (
  <>
    <ListViews labels={viewLabels} current={view} onPick={(picked) => patch({ view: picked, p: undefined })} />
    <ListOrder labels={orderLabels} current={order} onPick={(picked) => patch({ order: picked, p: undefined })} />
  </>
);

const ChatButton = ({ token, actions }: { readonly token: Token; readonly actions: TokenActions }) => {
  const t = useT();
  const open = (): void => actions.open(nextChatLink(linkOf(token)));
  return <IconButton icon="chat" label={t(m.token_chat_named, { name: token.name })} onClick={open} />;
};
