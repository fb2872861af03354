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
  type Token,
} from '@weir/contract/tokens';
import type { BodyOf } from '@weir/contract/endpoint';
import { AppError } from '../errors.ts';
import { route, type Routes } from '../http/route.ts';
import { findBadSubnet } from '../http/subnet.ts';
import { createTokenKey } from '../http/token-key.ts';
import type { Changes } from '../store/changes.ts';
import { applyPostings } from '../store/postings.ts';
import * as store from '../store/tokens.ts';

export interface TokenRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

type TokenUpdate = BodyOf<typeof updateToken>;

const checkSubnet = (subnet: string | null | undefined): void => {
  const wrong = findBadSubnet(subnet ?? '');
  if (wrong !== undefined) throw new AppError('token_subnet_invalid', { subnet: wrong });
};

/** Refuses to enable a token whose stored row says that it cannot work (wire contract 2.6). */
const checkEnabling = (row: store.TokenRow, nowSeconds: number): void => {
  const expired = row.expired_time !== -1 && row.expired_time <= nowSeconds;
  if (row.status === tokenStatus.expired && expired) throw new AppError('token_expired');
  const empty = row.unlimited_quota === 0 && row.available + row.held <= 0;
  if (row.status === tokenStatus.exhausted && empty) throw new AppError('token_exhausted');
};

const checkStatus = (status: number | undefined): void => {
  if (status !== undefined && status !== tokenStatus.enabled && status !== tokenStatus.disabled) {
    throw new AppError('status_invalid');
  }
};

const changesOf = ({ name, expired_time, models, subnet }: TokenUpdate): store.TokenChange => ({
  ...(name === undefined ? {} : { name }),
  ...(expired_time === undefined ? {} : { expired_time: expired_time === 0 ? -1 : expired_time }),
  ...(models === undefined || models === null ? {} : { models }),
  ...(subnet === undefined || subnet === null ? {} : { subnet }),
});

export const tokenRoutes = (routes: Routes, { changes, clock }: TokenRoutesDeps): void => {
  const { db, secrets } = routes.deps;
  const seconds = () => Math.floor(clock.now() / 1000);

  const toToken = (row: store.TokenRow): Token => ({
    id: row.id,
    user_id: row.user_id,
    key: store.openTokenKey(secrets, row),
    status: row.status,
    name: row.name,
    created_time: row.created_time,
    accessed_time: row.accessed_time,
    expired_time: row.expired_time,
    remain_quota: row.available + row.held,
    unlimited_quota: row.unlimited_quota === 1,
    used_quota: row.used,
    models: row.models,
    subnet: row.subnet,
  });
  const present = async (id: number, userId: number): Promise<store.TokenRow> => {
    const row = await store.findToken(db.query, { id, userId });
    if (row === undefined) throw new AppError('not_found');
    return row;
  };

  route(routes, listTokens, async ({ query, actor }) => {
    const order = tokenOrders.find((known) => known === query.order) ?? '';
    const rows = await store.listTokens(db, { userId: actor.user.id, order, page: query.p });
    return { data: rows.map(toToken) };
  });

  route(routes, searchTokens, async ({ query, actor }) => {
    const rows = await store.searchTokens(db, { userId: actor.user.id, keyword: query.keyword });
    return { data: rows.map(toToken) };
  });

  route(routes, getToken, async ({ params, actor }) => ({ data: toToken(await present(params.id, actor.user.id)) }));

  route(routes, createToken, async ({ body, actor }) => {
    checkSubnet(body.subnet);
    const key = createTokenKey();
    const userId = actor.user.id;
    const id = await db.query.transaction().execute(async (trx) => {
      const tokenId = await store.insertToken(trx, {
        userId,
        name: body.name,
        key: store.tokenKeyColumns(secrets, key),
        expiredTime: body.expired_time === 0 ? -1 : body.expired_time,
        unlimited: body.unlimited_quota,
        models: body.models ?? '',
        subnet: body.subnet ?? '',
        at: seconds(),
      });
      await applyPostings(trx, [
        {
          kind: 'allocate',
          opKey: `allocate:${tokenId}:created`,
          tokenId,
          userId,
          total: body.remain_quota,
          unlimited: body.unlimited_quota,
          actorId: userId,
          at: seconds(),
        },
      ]);
      return tokenId;
    });
    return { data: toToken(await present(id, userId)) };
  });

  const update = async (body: TokenUpdate, row: store.TokenRow): Promise<void> => {
    const userId = row.user_id;
    await db.query.transaction().execute(async (trx) => {
      await store.updateToken(trx, { id: row.id, userId }, changesOf(body));
      if (body.remain_quota === undefined && body.unlimited_quota === undefined) return;
      await applyPostings(trx, [
        {
          kind: 'allocate',
          opKey: `allocate:${row.id}:${randomUUID()}`,
          tokenId: row.id,
          userId,
          ...(body.remain_quota === undefined ? {} : { remain: body.remain_quota }),
          ...(body.remain_quota === undefined || body.used_quota === undefined ? {} : { usedSeen: body.used_quota }),
          unlimited: body.unlimited_quota ?? row.unlimited_quota === 1,
          actorId: userId,
          at: seconds(),
        },
      ]);
    });
  };

  route(routes, updateToken, async ({ body, query, actor }) => {
    checkSubnet(body.subnet);
    const row = await present(body.id, actor.user.id);
    if (query.status_only !== '') {
      checkStatus(body.status);
      if (body.status === tokenStatus.enabled) checkEnabling(row, seconds());
      if (body.status !== undefined) await store.updateToken(db.query, { id: row.id, userId: row.user_id }, { status: body.status });
    } else {
      // Other consoles echo the status they loaded; it is judged as the reference does and then left alone.
      if (body.status === tokenStatus.enabled) checkEnabling(row, seconds());
      await update(body, row);
    }
    changes.publish({ topic: 'token', id: row.id });
    return { data: toToken(await present(row.id, row.user_id)) };
  });

  route(routes, deleteToken, async ({ params, actor }) => {
    const existed = await store.deleteToken(db, { id: params.id, userId: actor.user.id, at: seconds() });
    if (!existed) throw new AppError('not_found');
    changes.publish({ topic: 'token', id: params.id });
    return {};
  });
};
