import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useMemo, useState } from 'react';
import { Crumbs } from '../../../components/crumbs.tsx';
import { Failure } from '../../../components/failure.tsx';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../../components/list/list-under-sheet.tsx';
import { useListState } from '../../../components/list/use-list-state.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { keepByName } from '../../../lib/lists/keep-by-name.ts';
import { m } from '../../../paraglide/messages.js';
import { RollDialog } from '../roll/roll-dialog.tsx';
import { managedColumns } from './managed-columns.tsx';
import { managedEntries } from './managed-entries.ts';
import { listPathOf, managedTokens, ownerQuery, rollFor } from './managed-queries.ts';
import type { TokenOwner } from './managed-queries.ts';
import { managedSearch } from './managed-search.ts';
import { useManagedActions } from './use-managed-actions.ts';
import { useTokenOwner } from './use-token-owner.ts';

/** `/user/tokens/{id}`: the tokens of a user, for administrators; `/team/tokens/{id}`: those of a team, for its members. */
export const ManagedScreen = () => {
  const owner = useTokenOwner();
  return (
    <ListUnderSheet key={listPathOf(owner)} path={listPathOf(owner)}>
      <Owned owner={owner} />
    </ListUnderSheet>
  );
};

const Owned = ({ owner }: { readonly owner: TokenOwner }) => {
  const t = useT();
  const { data, error, refetch } = useQuery(ownerQuery(owner));
  if (!error) return <ManagedList owner={owner} name={data ?? '…'} />;
  return (
    <>
      <PageHead title={t(m.token_title)} />
      <Failure error={error} onRetry={() => void refetch()} />
    </>
  );
};

const sourceOf = (owner: TokenOwner) => ({
  read: managedSearch,
  pages: () => managedTokens(owner),
  keepOf: keepByName,
});

const ManagedList = ({ owner, name }: { readonly owner: TokenOwner; readonly name: string }) => {
  const t = useT();
  const client = useQueryClient();
  const source = useMemo(() => sourceOf(owner), [owner]);
  const state = useListState(source);
  const [rolling, setRolling] = useState<Token>();
  const actions = useManagedActions(owner, setRolling);
  const texts = {
    title: (_: unknown, options?: Parameters<typeof m.token_of_user>[1]) => m.token_of_user({ name }, options),
    search: m.token_search,
    empty: [m.token_empty_title, owner.kind === 'team' ? m.team_empty_tokens : m.token_empty_user],
    noMatch: m.token_none_title,
  } as const;
  return (
    <>
      <Crumbs title={name} pathname={listPathOf(owner)} />
      <ListScreen
        name={`${owner.kind}-tokens`}
        icon="key"
        texts={texts}
        state={state}
        columns={managedColumns}
        add={{ href: `${listPathOf(owner)}/add`, text: m.token_create }}
        nameOf={(token) => token.name || '—'}
        onOpen={actions.edit}
        entriesOf={(token) => managedEntries(token, actions, t)}
      />
      {rolling && (
        <RollDialog
          token={rolling}
          ready={m.token_new_key_text}
          roll={(request) => rollFor(client, owner, request)}
          onClose={() => setRolling(undefined)}
        />
      )}
    </>
  );
};
