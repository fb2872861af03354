import {
  createUserToken,
  deleteUserToken,
  endUserTokenOverlap,
  getUserToken,
  listUserTokens,
  rollUserToken,
  updateUserToken,
} from '@weir/contract/managed-tokens';
import { outranks } from '@weir/contract/roles';
import { tokenOrders } from '@weir/contract/tokens';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/authenticate.ts';
import { route, type Routes } from '../../http/route.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import * as store from '../../store/tokens.ts';
import { findUser } from '../../store/users/users.ts';
import { checkSubnet } from '../token-input.ts';
import { toMaskedToken, toToken } from '../token-view.ts';
import { endOverlap, rollKey } from './roll-key.ts';
import { checkOwner, tokensOfUsersRoute } from './tokens-of-users.ts';
import { addToken, changeToken, removeToken, type TokenChange, type TokenRoutesDeps } from './token-changes.ts';

const readRoutes = (routes: Routes): void => {
  const { db, secrets } = routes.deps;

  const checkReader = async (id: number, actor: Actor): Promise<void> => {
    const owner = await findUser(db.read, id);
    if (owner === undefined) throw new AppError('not_found');
    if (!outranks(actor.user.role, owner.role)) throw new AppError('user_rank_read');
  };

  route(routes, listUserTokens, async ({ params, query, actor }) => {
    await checkReader(params.id, actor);
    const order = tokenOrders.find((known) => known === query.order) ?? '';
    const [rows, total] = await Promise.all([
      store.listTokens(db, { userId: params.id, order, page: query.p }),
      query.p === 0 ? store.countListedTokens(db, params.id) : undefined,
    ]);
    return { data: rows.map((row) => toMaskedToken(row, secrets)), total };
  });

  route(routes, getUserToken, async ({ params, actor }) => {
    await checkReader(params.id, actor);
    const row = await store.findToken(db.read, { id: params.token, userId: params.id });
    if (row === undefined) throw new AppError('not_found');
    return { data: toMaskedToken(row, secrets) };
  });
};

const changeRoutes = (routes: Routes, { changes, clock }: TokenRoutesDeps): void => {
  const { db, secrets } = routes.deps;

  interface By {
    readonly params: { readonly id: number };
    readonly actor: Actor;
    readonly request: TokenChange['request'];
  }
  const change = async <Result>(
    { params, actor, request }: By,
    make: (trx: DatabaseTransaction, change: TokenChange) => Promise<Result>,
  ): Promise<Result> => {
    const made = { ownerId: params.id, actor: actor.user, request, at: Math.floor(clock.now() / 1000) };
    return db.write.transaction().execute(async (trx) => {
      await checkOwner(trx, made, actor);
      return make(trx, made);
    });
  };

  route(routes, createUserToken, async ({ body, ...call }) => {
    checkSubnet(body.subnet);
    const row = await change(call, (trx, made) => addToken(trx, routes.deps, { body, change: made }));
    return { data: toToken(row, secrets) };
  });

  route(routes, updateUserToken, async ({ body, query, ...call }) => {
    checkSubnet(body.subnet);
    const statusOnly = query.status_only !== '';
    const row = await change(call, (trx, made) => changeToken(trx, routes.deps, { body, statusOnly, change: made }));
    changes.publish({ topic: 'token', id: row.id });
    return { data: toMaskedToken(row, secrets) };
  });

  route(routes, deleteUserToken, async (call) => {
    const { token: id } = call.params;
    await change(call, (trx, made) => removeToken(trx, routes.deps, { id, change: made }));
    changes.publish({ topic: 'token', id });
    return {};
  });

  route(routes, rollUserToken, async ({ body, ...call }) => {
    const { id, roll_id: rollId, overlap_seconds: overlapSeconds } = body;
    const row = await change(call, (trx, made) =>
      rollKey(trx, routes.deps, { id, rollId, overlapSeconds, change: made }),
    );
    changes.publish({ topic: 'token', id: row.id });
    return { data: toToken(row, secrets) };
  });

  route(routes, endUserTokenOverlap, async ({ body, ...call }) => {
    const row = await change(call, (trx, made) => endOverlap(trx, routes.deps, { id: body.id, change: made }));
    changes.publish({ topic: 'token', id: row.id });
    return { data: toMaskedToken(row, secrets) };
  });
};

/** The routes of administrators for the tokens of others. */
export const managedTokenRoutes = (routes: Routes, deps: TokenRoutesDeps): void => {
  readRoutes(routes);
  changeRoutes(routes, deps);
  tokensOfUsersRoute(routes, deps);
};
