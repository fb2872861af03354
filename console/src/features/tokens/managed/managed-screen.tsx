import { useQuery, useQueryClient } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import type { Token } from '@weir/contract/tokens';
import { useMemo, useState } from 'react';
import { Crumbs } from '../../../components/crumbs.tsx';
import { Failure } from '../../../components/failure.tsx';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../../components/list/list-under-sheet.tsx';
import { useListState } from '../../../components/list/use-list-state.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { currentUser } from '../../../lib/api/session.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { keepByName } from '../../../lib/lists/keep-by-name.ts';
import { m } from '../../../paraglide/messages.js';
import { RollDialog } from '../roll/roll-dialog.tsx';
import { makerColumn, managedColumns } from './managed-columns.tsx';
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
  if (!error) return <ManagedList owner={owner} name={data?.name ?? '…'} makers={data?.makers} />;
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

interface ManagedListProps {
  readonly owner: TokenOwner;
  /** Of the owner. */
  readonly name: string;
  /** Of a team: the names of its members by membership. */
  readonly makers: ReadonlyMap<number, string> | undefined;
}

/** Address of a token's records: of a team by its ID, which is all that a member may filter by. */
const logsOf = ({ kind, id }: TokenOwner, name: string, token: Token): string =>
  kind === 'team' && !can(currentUser()?.role, 'admin')
    ? `/log?team=${id}&token_id=${token.id}`
    : `/log?username=${encodeURIComponent(name)}&token_name=${encodeURIComponent(token.name)}`;

const ManagedList = ({ owner, name, makers }: ManagedListProps) => {
  const t = useT();
  const client = useQueryClient();
  const source = useMemo(() => sourceOf(owner), [owner]);
  const state = useListState(source);
  const [rolling, setRolling] = useState<Token>();
  const columns = useMemo(() => (makers ? [...managedColumns, makerColumn(makers)] : managedColumns), [makers]);
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
        columns={columns}
        add={{ href: `${listPathOf(owner)}/add`, text: m.token_create }}
        nameOf={(token) => token.name || '—'}
        onOpen={actions.edit}
        entriesOf={(token) => managedEntries(token, { ...actions, logs: logsOf(owner, name, token) }, t)}
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
