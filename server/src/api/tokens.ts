import { randomUUID } from 'node:crypto';
import {
  createToken,
  deleteToken,
  getToken,
  listTokens,
  searchTokens,
  tokenOrders,
  tokenStatus,
  updateToken,
} from '@weir/contract/tokens';
import { AppError } from '../errors.ts';
import { changedNames } from '../http/audit.ts';
import { type Call, route, type Routes } from '../http/route.ts';
import { createTokenKey } from '../store/credentials/token-key.ts';
import type { Changes } from '../store/nodes/changes.ts';
import type { DatabaseTransaction } from '../store/database.ts';
import { applyPostings } from '../store/ledger/apply-postings.ts';
import type { AllocatePosting } from '../store/ledger/postings.ts';
import * as store from '../store/tokens.ts';
import { checkEnabling, checkSubnet, readExpiry, readStatus, readUpdate, type TokenUpdate } from './token-input.ts';
import { toToken } from './token-view.ts';

export interface TokenRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

const readRoutes = (routes: Routes): void => {
  const { db, secrets } = routes.deps;

  route(routes, listTokens, async ({ query, actor }) => {
    const order = tokenOrders.find((known) => known === query.order) ?? '';
    const [rows, total] = await Promise.all([
      store.listTokens(db, { userId: actor.user.id, order, page: query.p }),
      query.p === 0 ? store.countListedTokens(db, actor.user.id) : undefined,
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

/** Sets what a token may spend. Only a deleted token is refused. */
const allocate = async (trx: DatabaseTransaction, posting: Omit<AllocatePosting, 'kind'>): Promise<void> => {
  const [result] = await applyPostings(trx, [{ kind: 'allocate', ...posting }]);
  if (result?.outcome !== 'done') throw new AppError('not_found');
};

const addRoute = (routes: Routes, { clock }: TokenRoutesDeps): void => {
  const { audit, db, secrets } = routes.deps;

  route(routes, createToken, async ({ body, actor, request }) => {
    checkSubnet(body.subnet);
    const userId = actor.user.id;
    const at = Math.floor(clock.now() / 1000);
    const row = await db.write.transaction().execute(async (trx) => {
      const tokenId = await store.insertToken(trx, {
        userId,
        name: body.name,
        key: store.tokenKeyColumns(secrets, createTokenKey()),
        expiredTime: readExpiry(body.expired_time),
        unlimited: body.unlimited_quota,
        models: body.models ?? '',
        subnet: body.subnet ?? '',
        at,
      });
      await allocate(trx, {
        opKey: `allocate:${tokenId}:created`,
        tokenId,
        userId,
        total: body.remain_quota,
        unlimited: body.unlimited_quota,
        actorId: userId,
        at,
      });
      const made = await store.findToken(trx, { id: tokenId, userId });
      await audit.note(trx, { request, actor: actor.user, action: 'create_token', subject: `token ${tokenId}` });
      return made;
    });
    if (row === undefined) throw new AppError('not_found');
    return { data: toToken(row, secrets) };
  });
};

/** The posting of an update that concerns the allocation; undefined: it does not. */
const allocationOf = (
  body: TokenUpdate,
  row: store.TokenRow,
  at: number,
): Omit<AllocatePosting, 'kind'> | undefined => {
  const { remain_quota: remain, used_quota: usedSeen, unlimited_quota: unlimited } = body;
  if (remain === undefined && unlimited === undefined) return undefined;
  return {
    opKey: `allocate:${row.id}:${randomUUID()}`,
    tokenId: row.id,
    userId: row.user_id,
    ...(remain === undefined ? {} : { remain }),
    ...(remain === undefined || usedSeen === undefined ? {} : { usedSeen }),
    unlimited: unlimited ?? row.unlimited_quota === 1,
    actorId: row.user_id,
    at,
  };
};

const changeRoutes = (routes: Routes, { changes, clock }: TokenRoutesDeps): void => {
  const { audit, db, secrets } = routes.deps;
  const seconds = () => Math.floor(clock.now() / 1000);

  const change = async (
    trx: DatabaseTransaction,
    { body, query, actor, request }: Call<typeof updateToken>,
  ): Promise<store.TokenRow> => {
    const token = { id: body.id, userId: actor.user.id };
    const row = await store.findToken(trx, token);
    if (row === undefined) throw new AppError('not_found');
    // Other consoles send back the status they loaded with the rest: it is validated as in the reference, then left
    // alone.
    if (body.status === tokenStatus.enabled) checkEnabling(row, seconds());
    const statusOnly = query.status_only !== '';
    const columns = statusOnly ? readStatus(body.status) : readUpdate(body);
    const allocation = statusOnly ? undefined : allocationOf(body, row, seconds());
    // First, as it locks the account and then the token: the order in which charges lock them.
    if (allocation !== undefined) await allocate(trx, allocation);
    await store.updateToken(trx, token, columns);
    const after = await store.findToken(trx, token);
    if (after === undefined) throw new AppError('not_found');
    const detail = [
      ...changedNames(columns, row),
      ...(after.available + after.held === row.available + row.held ? [] : ['remain_quota']),
      ...(after.unlimited_quota === row.unlimited_quota ? [] : ['unlimited_quota']),
    ].join(' ');
    await audit.note(trx, { request, actor: actor.user, action: 'update_token', subject: `token ${row.id}`, detail });
    return after;
  };

  route(routes, updateToken, async (call) => {
    checkSubnet(call.body.subnet);
    const row = await db.write.transaction().execute((trx) => change(trx, call));
    changes.publish({ topic: 'token', id: row.id });
    return { data: toToken(row, secrets) };
  });

  route(routes, deleteToken, async ({ params, actor, request }) => {
    await db.write.transaction().execute(async (trx) => {
      const existed = await store.deleteToken(trx, { id: params.id, userId: actor.user.id, at: seconds() });
      if (!existed) throw new AppError('not_found');
      await audit.note(trx, { request, actor: actor.user, action: 'delete_token', subject: `token ${params.id}` });
    });
    changes.publish({ topic: 'token', id: params.id });
    return {};
  });
};

export const tokenRoutes = (routes: Routes, deps: TokenRoutesDeps): void => {
  readRoutes(routes);
  addRoute(routes, deps);
  changeRoutes(routes, deps);
};
