import {
  createToken,
  deleteToken,
  endTokenOverlap,
  getToken,
  listTokens,
  rollToken,
  searchTokens,
  tokenOrders,
  updateToken,
} from '@weir/contract/tokens';
import { AppError } from '../errors.ts';
import { type Call, route, type Routes } from '../http/route.ts';
import * as store from '../store/tokens.ts';
import { findTokenRoutes } from './keys/find-tokens.ts';
import { managedTokenRoutes } from './keys/managed-tokens.ts';
import { endOverlap, rollKey } from './keys/roll-key.ts';
import { addToken, changeToken, removeToken, type TokenChange, type TokenRoutesDeps } from './keys/token-changes.ts';
import { checkSubnet } from './token-input.ts';
import { toToken } from './token-view.ts';

const readRoutes = (routes: Routes): void => {
  const { db, secrets } = routes.deps;

  route(routes, listTokens, async ({ query, actor }) => {
    const order = tokenOrders.find((known) => known === query.order) ?? '';
    const [rows, total] = await Promise.all([
      store.listTokens(db, { userId: actor.user.id, order, page: query.p }),
      query.p === 0 ? store.countListedTokens(db, { userId: actor.user.id }) : undefined,
    ]);
    return { data: rows.map((row) => toToken(row, secrets)), total };
  });

  route(routes, searchTokens, async ({ query, actor }) => {
    const rows = await store.searchTokens(db, { userId: actor.user.id, keyword: query.keyword });
    return { data: rows.map((row) => toToken(row, secrets)) };
  });

  route(routes, getToken, async ({ params, actor }) => {
    const row = await store.findToken(db.read, { id: params.id, userId: actor.user.id });
    if (row === undefined) throw new AppError('not_found');
    return { data: toToken(row, secrets) };
  });
};

const changeRoutes = (routes: Routes, { changes, clock }: TokenRoutesDeps): void => {
  const { db, secrets } = routes.deps;
  const own = ({ actor, request }: Pick<Call<typeof createToken>, 'actor' | 'request'>): TokenChange => {
    return { ownerId: actor.user.id, actor: actor.user, request, at: Math.floor(clock.now() / 1000) };
  };

  route(routes, createToken, async ({ body, ...call }) => {
    checkSubnet(body.subnet);
    const input = { body, change: own(call) };
    const row = await db.write.transaction().execute((trx) => addToken(trx, routes.deps, input));
    return { data: toToken(row, secrets) };
  });

  route(routes, updateToken, async ({ body, query, ...call }) => {
    checkSubnet(body.subnet);
    const input = { body, statusOnly: query.status_only !== '', change: own(call) };
    const row = await db.write.transaction().execute((trx) => changeToken(trx, routes.deps, input));
    changes.publish({ topic: 'token', id: row.id });
    return { data: toToken(row, secrets) };
  });

  route(routes, deleteToken, async ({ params, ...call }) => {
    const input = { id: params.id, change: own(call) };
    await db.write.transaction().execute((trx) => removeToken(trx, routes.deps, input));
    changes.publish({ topic: 'token', id: params.id });
    return {};
  });

  route(routes, rollToken, async ({ body, ...call }) => {
    const input = { id: body.id, rollId: body.roll_id, overlapSeconds: body.overlap_seconds, change: own(call) };
    const row = await db.write.transaction().execute((trx) => rollKey(trx, routes.deps, input));
    changes.publish({ topic: 'token', id: row.id });
    return { data: toToken(row, secrets) };
  });

  route(routes, endTokenOverlap, async ({ body, ...call }) => {
    const input = { id: body.id, change: own(call) };
    const row = await db.write.transaction().execute((trx) => endOverlap(trx, routes.deps, input));
    changes.publish({ topic: 'token', id: row.id });
    return { data: toToken(row, secrets) };
  });
};

export const tokenRoutes = (routes: Routes, deps: TokenRoutesDeps): void => {
  readRoutes(routes);
  changeRoutes(routes, deps);
  managedTokenRoutes(routes, deps);
  findTokenRoutes(routes, deps);
};
