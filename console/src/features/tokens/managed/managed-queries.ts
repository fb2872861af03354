import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { createTokensOfUsers, findLeakedTokens } from '@weir/contract/managed-tokens';
import type { FoundToken, TokenOfUser } from '@weir/contract/managed-tokens';
import { getTeam } from '@weir/contract/teams/teams';
import type { TeamWithMembers } from '@weir/contract/teams/teams';
import { tokenCalls } from '@weir/contract/teams/token-calls';
import type { Token } from '@weir/contract/tokens';
import { tokenStatus } from '@weir/contract/tokens';
import { getUser } from '@weir/contract/users';
import { call } from '../../../lib/api/call.ts';
import type { OnTotal } from '../../../lib/api/call.ts';
import { patchRow } from '../../../lib/lists/paged-list.ts';
import type { SwitchStatus, TokenFields } from '../queries.ts';
import type { RollRequest } from '../roll/roll-dialog.tsx';

/** Whose tokens are managed. */
export interface TokenOwner {
  readonly kind: keyof typeof tokenCalls;
  readonly id: number;
}

/** Path of their list. */
export const listPathOf = ({ kind, id }: TokenOwner): string => `/${kind}/tokens/${id}`;

const keyOf = ({ kind, id }: TokenOwner) => ['managed-tokens', kind, id] as const;

/** The tokens of a user or a team, their keys masked. */
export const managedTokens = (owner: TokenOwner) => ({
  key: [...keyOf(owner), 'list'],
  fetchPage: (p: number, signal: AbortSignal, onTotal?: OnTotal): Promise<Token[]> =>
    call(tokenCalls[owner.kind].list, { params: { id: String(owner.id) }, query: { p, order: '' }, signal, onTotal }),
});

const ofTeam = ({ name, people }: TeamWithMembers) => ({
  name,
  makers: new Map(people.map(({ id, username }) => [id, username])),
});

/** The name of the owner, and of a team the names of its members by membership. */
export const ownerQuery = ({ kind, id }: TokenOwner) =>
  queryOptions({
    queryKey: ['token-owner', kind, id],
    queryFn: async ({ signal }) =>
      kind === 'team'
        ? ofTeam(await call(getTeam, { params: { id }, signal }))
        : { name: (await call(getUser, { params: { id }, signal })).username, makers: undefined },
    staleTime: 0,
  });

export const managedTokenQuery = (owner: TokenOwner, id: number) =>
  queryOptions({
    queryKey: [...keyOf(owner), 'one', id],
    queryFn: ({ signal }) => call(tokenCalls[owner.kind].get, { params: { id: owner.id, token: id }, signal }),
    staleTime: 0,
  });

const refresh = (client: QueryClient, owner: TokenOwner): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(owner) });

export const createFor = async (client: QueryClient, owner: TokenOwner, body: TokenFields): Promise<Token> => {
  const made = await call(tokenCalls[owner.kind].create, { params: { id: owner.id }, body });
  await refresh(client, owner);
  return made;
};

export const createForUsers = (usernames: readonly string[], fields: TokenFields): Promise<TokenOfUser[]> =>
  call(createTokensOfUsers, { body: { usernames: [...usernames], ...fields } });

/** `used_quota` as loaded: what was spent since is not credited back. */
export const updateFor = async (
  client: QueryClient,
  owner: TokenOwner,
  { id, used_quota }: Token,
  fields: TokenFields,
): Promise<void> => {
  await call(tokenCalls[owner.kind].update, {
    params: { id: owner.id },
    query: { status_only: '' },
    body: { id, used_quota, ...fields },
  });
  await refresh(client, owner);
};

export const setStatusFor = async (
  client: QueryClient,
  owner: TokenOwner,
  { id }: Pick<Token, 'id'>,
  status: SwitchStatus,
): Promise<void> => {
  await call(tokenCalls[owner.kind].update, {
    params: { id: owner.id },
    query: { status_only: 'true' },
    body: { id, status },
  });
  await refresh(client, owner);
};

export const removeFor = async (client: QueryClient, owner: TokenOwner, { id }: Token): Promise<void> => {
  await call(tokenCalls[owner.kind].remove, { params: { id: owner.id, token: id } });
  patchRow<Token>(client, keyOf(owner), id, { deleted: true });
};

export const rollFor = async (client: QueryClient, owner: TokenOwner, body: RollRequest): Promise<Token> => {
  const rolled = await call(tokenCalls[owner.kind].roll, { params: { id: owner.id }, body });
  await refresh(client, owner);
  return rolled;
};

export const endOverlapFor = async (client: QueryClient, owner: TokenOwner, { id }: Token): Promise<void> => {
  await call(tokenCalls[owner.kind].endOverlap, { params: { id: owner.id }, body: { id } });
  await refresh(client, owner);
};

export const findTokens = (text: string): Promise<FoundToken[]> => call(findLeakedTokens, { body: { text } });

export const disableFound = (client: QueryClient, found: FoundToken): Promise<void> =>
  setStatusFor(client, { kind: 'user', id: found.user_id }, found, tokenStatus.disabled);
