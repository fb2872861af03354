import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  createToken,
  deleteToken,
  endTokenOverlap,
  getToken,
  listTokens,
  neverExpires,
  rollToken,
  searchTokens,
  tokenStatus,
  updateToken,
} from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { call } from '../../lib/api/call.ts';
import type { OnTotal } from '../../lib/api/call.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import type { RollRequest } from './roll/roll-dialog.tsx';
import type { TokensSearch } from './list/tokens-search.ts';

const key = ['tokens'] as const;

/** The query of the list: a search returns everything, otherwise pages in the server's order. */
export const tokensList = ({ q, order }: Pick<TokensSearch, 'q' | 'order'>) => ({
  key: [...key, q ?? '', order ?? ''],
  whole: q !== undefined,
  fetchPage: (page: number, signal: AbortSignal, onTotal?: OnTotal): Promise<Token[]> =>
    q === undefined
      ? call(listTokens, { query: { p: page, order: order ?? '' }, signal, onTotal })
      : call(searchTokens, { query: { keyword: q }, signal }),
});

export const tokenQuery = (id: number) =>
  queryOptions({
    queryKey: ['token', id],
    queryFn: ({ signal }) => call(getToken, { params: { id }, signal }),
    staleTime: 0,
  });

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key });

/** The request body of the form (specification §7). */
export type TokenFields = Pick<
  Token,
  'name' | 'remain_quota' | 'expired_time' | 'unlimited_quota' | 'models' | 'subnet'
>;

export const create = async (client: QueryClient, fields: TokenFields): Promise<Token> => {
  const token = await call(createToken, { body: fields });
  await refresh(client);
  return token;
};

/** `used_quota` is sent as loaded: what was spent since is not credited back. */
export const update = async (client: QueryClient, loaded: Token, fields: TokenFields): Promise<void> => {
  const { id, used_quota } = loaded;
  await call(updateToken, { body: { id, used_quota, ...fields } });
  client.removeQueries({ queryKey: ['token', id] });
  await refresh(client);
};

/** The cause of an exhausted or expired status is gone: the server keeps the status until it is set. */
export const canReturn = (status: number, fields: TokenFields, nowMs: number): boolean =>
  (status === tokenStatus.exhausted || status === tokenStatus.expired) &&
  (fields.unlimited_quota || fields.remain_quota > 0) &&
  (fields.expired_time === neverExpires || fields.expired_time * 1000 > nowMs);

/** The status values that the switch can set. */
export type SwitchStatus = (typeof tokenStatus)['enabled' | 'disabled'];

/** The status that the switch sets from the current one. */
export const oppositeOf = (status: number): SwitchStatus =>
  status === tokenStatus.enabled ? tokenStatus.disabled : tokenStatus.enabled;

/** Switches a token on screen, then on the server; reverts it if the server refuses. */
export const setStatus = async (client: QueryClient, { id }: Token, status: SwitchStatus): Promise<void> => {
  const takeBack = patchRow<Token>(client, key, id, { status });
  try {
    const changed = await call(updateToken, { query: { status_only: 'true' }, body: { id, status } });
    patchRow<Token>(client, key, id, { status: changed.status });
    client.setQueryData(tokenQuery(id).queryKey, changed);
  } catch (error) {
    takeBack();
    throw error;
  }
};

export const rollOwn = async (client: QueryClient, body: RollRequest): Promise<Token> => {
  const rolled = await call(rollToken, { body });
  client.setQueryData(tokenQuery(body.id).queryKey, rolled);
  await refresh(client);
  return rolled;
};

export const endOwnOverlap = async (client: QueryClient, { id }: Token): Promise<void> => {
  const ended = await call(endTokenOverlap, { body: { id } });
  client.setQueryData(tokenQuery(id).queryKey, ended);
  await refresh(client);
};

export const remove = async (client: QueryClient, { id }: Token): Promise<void> => {
  await call(deleteToken, { params: { id } });
  patchRow<Token>(client, key, id, { deleted: true });
};
