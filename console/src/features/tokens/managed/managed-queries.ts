import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  createTokensOfUsers,
  createUserToken,
  deleteUserToken,
  endUserTokenOverlap,
  findLeakedTokens,
  getUserToken,
  listUserTokens,
  rollUserToken,
  updateUserToken,
} from '@weir/contract/managed-tokens';
import type { FoundToken, TokenOfUser } from '@weir/contract/managed-tokens';
import type { Token } from '@weir/contract/tokens';
import { tokenStatus } from '@weir/contract/tokens';
import { getUser } from '@weir/contract/users';
import { call } from '../../../lib/api/call.ts';
import type { OnTotal } from '../../../lib/api/call.ts';
import { patchRow } from '../../../lib/lists/paged-list.ts';
import type { SwitchStatus, TokenFields } from '../queries.ts';
import type { RollRequest } from '../roll/roll-dialog.tsx';

const keyOf = (owner: number) => ['managed-tokens', owner] as const;

/** The tokens of a user, as an administrator sees them. */
export const managedTokens = (owner: number) => ({
  key: [...keyOf(owner), 'list'],
  fetchPage: (p: number, signal: AbortSignal, onTotal?: OnTotal): Promise<Token[]> =>
    call(listUserTokens, { params: { id: String(owner) }, query: { p, order: '' }, signal, onTotal }),
});

export const ownerQuery = (owner: number) =>
  queryOptions({
    queryKey: ['user', owner],
    queryFn: ({ signal }) => call(getUser, { params: { id: owner }, signal }),
    staleTime: 0,
  });

export const managedTokenQuery = (owner: number, id: number) =>
  queryOptions({
    queryKey: [...keyOf(owner), 'one', id],
    queryFn: ({ signal }) => call(getUserToken, { params: { id: owner, token: id }, signal }),
    staleTime: 0,
  });

const refresh = (client: QueryClient, owner: number): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(owner) });

export const createFor = async (client: QueryClient, owner: number, body: TokenFields): Promise<Token> => {
  const made = await call(createUserToken, { params: { id: owner }, body });
  await refresh(client, owner);
  return made;
};

export const createForUsers = (usernames: readonly string[], fields: TokenFields): Promise<TokenOfUser[]> =>
  call(createTokensOfUsers, { body: { usernames: [...usernames], ...fields } });

/** `used_quota` as loaded: what was spent since is not credited back. */
export const updateFor = async (client: QueryClient, loaded: Token, fields: TokenFields): Promise<void> => {
  const { id, user_id: owner, used_quota } = loaded;
  await call(updateUserToken, {
    params: { id: owner },
    query: { status_only: '' },
    body: { id, used_quota, ...fields },
  });
  await refresh(client, owner);
};

export const setStatusFor = async (
  client: QueryClient,
  { id, user_id: owner }: Pick<Token, 'id' | 'user_id'>,
  status: SwitchStatus,
): Promise<void> => {
  await call(updateUserToken, { params: { id: owner }, query: { status_only: 'true' }, body: { id, status } });
  await refresh(client, owner);
};

export const removeFor = async (client: QueryClient, { id, user_id: owner }: Token): Promise<void> => {
  await call(deleteUserToken, { params: { id: owner, token: id } });
  patchRow<Token>(client, keyOf(owner), id, { deleted: true });
};

export const rollFor = async (client: QueryClient, owner: number, body: RollRequest): Promise<Token> => {
  const rolled = await call(rollUserToken, { params: { id: owner }, body });
  await refresh(client, owner);
  return rolled;
};

export const endOverlapFor = async (client: QueryClient, { id, user_id: owner }: Token): Promise<void> => {
  await call(endUserTokenOverlap, { params: { id: owner }, body: { id } });
  await refresh(client, owner);
};

export const findTokens = (text: string): Promise<FoundToken[]> => call(findLeakedTokens, { body: { text } });

export const disableFound = (client: QueryClient, found: FoundToken): Promise<void> =>
  setStatusFor(client, found, tokenStatus.disabled);
