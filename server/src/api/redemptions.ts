import { randomBytes } from 'node:crypto';
import type { BodyOf } from '@weir/contract/endpoint';
import {
  createRedemptions,
  deleteRedemption,
  getRedemption,
  listRedemptions,
  redeem,
  redemptionCountMax,
  redemptionNameMax,
  redemptionStatus,
  searchRedemptions,
  updateRedemption,
} from '@weir/contract/redemptions';
import { redeemForTeam } from '@weir/contract/teams/teams';
import { createRedeeming } from '../billing/credits/redeeming.ts';
import { AppError } from '../errors.ts';
import { changedNames } from '../http/audit.ts';
import { languageOf } from '../http/language.ts';
import { createRedeemLimits } from '../http/limits/redeem-limits.ts';
import { type Call, route, type Routes } from '../http/route.ts';
import type { Changes } from '../store/nodes/changes.ts';
import type { DatabaseTransaction } from '../store/database.ts';
import * as store from '../store/redemptions.ts';
import { readManagedTeam } from './teams/team-access.ts';
import { toRedemption } from './redemption-view.ts';

export interface RedemptionRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

/** 128 bits, in the form of the wire contract (1.13). */
const createKey = (): string => randomBytes(16).toString('hex');

const checkName = (name: string): void => {
  if (name === '' || [...name].length > redemptionNameMax) throw new AppError('redemption_name_length');
};

const checkCount = (count: number): void => {
  if (count <= 0) throw new AppError('redemption_count_small');
  if (count > redemptionCountMax) throw new AppError('redemption_count_large');
};

const readRoutes = (routes: Routes): void => {
  const { db, secrets } = routes.deps;

  route(routes, listRedemptions, async ({ query, actor }) => {
    const [rows, total] = await Promise.all([
      store.listRedemptions(db, { reader: actor.user.id, page: query.p }),
      query.p === 0 ? store.countRedemptions(db) : undefined,
    ]);
    return { data: rows.map((row) => toRedemption(row, secrets)), total };
  });

  route(routes, searchRedemptions, async ({ query }) => {
    const rows = await store.searchRedemptions(db, query.keyword);
    return { data: rows.map((row) => toRedemption(row, secrets)) };
  });

  route(routes, getRedemption, async ({ params }) => {
    const row = await store.findRedemption(db.read, params.id);
    if (row === undefined) throw new AppError('not_found');
    return { data: toRedemption(row, secrets) };
  });
};

/** The members that an update sets; absent members stay as they are. */
const readChange = (
  { name, quota, status }: BodyOf<typeof updateRedemption>,
  statusOnly: boolean,
): store.RedemptionChange => {
  if (!statusOnly) {
    if (name !== undefined) checkName(name);
    return { ...(name === undefined ? {} : { name }), ...(quota === undefined ? {} : { quota }) };
  }
  if (status === undefined) return {};
  if (status !== redemptionStatus.unused && status !== redemptionStatus.disabled) throw new AppError('status_invalid');
  return { status };
};

const changeRoutes = (routes: Routes, { clock }: RedemptionRoutesDeps): void => {
  const { audit, db, secrets } = routes.deps;
  const seconds = () => Math.floor(clock.now() / 1000);

  route(routes, createRedemptions, async ({ body, actor, request }) => {
    const { name, quota, count } = body;
    checkName(name);
    checkCount(count);
    const keys = Array.from({ length: count }, createKey);
    await db.write.transaction().execute(async (trx) => {
      await store.insertRedemptions(trx, secrets, { userId: actor.user.id, name, quota, keys, at: seconds() });
      const detail = `${count} codes of ${quota}`;
      await audit.note(trx, { request, actor: actor.user, action: 'create_redemptions', subject: name, detail });
    });
    return { data: keys };
  });

  const change = async (
    trx: DatabaseTransaction,
    { body, query, actor, request }: Call<typeof updateRedemption>,
  ): Promise<store.RedemptionRow> => {
    const columns = readChange(body, query.status_only !== '');
    const before = await store.findRedemption(trx, body.id);
    if (before === undefined) throw new AppError('not_found');
    const row = await store.updateRedemption(trx, body.id, columns);
    if (row === undefined) throw new AppError('redemption_used');
    const detail = changedNames(columns, before).join(' ');
    const subject = `redemption ${row.id}`;
    await audit.note(trx, { request, actor: actor.user, action: 'update_redemption', subject, detail });
    return row;
  };

  route(routes, updateRedemption, async (call) => {
    const row = await db.write.transaction().execute((trx) => change(trx, call));
    return { data: toRedemption(row, secrets) };
  });

  route(routes, deleteRedemption, async ({ params, actor, request }) => {
    await db.write.transaction().execute(async (trx) => {
      const existed = await store.deleteRedemption(trx, { id: params.id, at: seconds() });
      if (!existed) throw new AppError('not_found');
      const subject = `redemption ${params.id}`;
      await audit.note(trx, { request, actor: actor.user, action: 'delete_redemption', subject });
    });
    return {};
  });
};

const redeemRoute = (routes: Routes, { changes, clock }: RedemptionRoutesDeps): void => {
  const { audit, db, options, secrets } = routes.deps;
  const limited = createRedeemLimits({ db, clock });
  const redeemCode = createRedeeming({ db, changes, options, clock });

  interface Redeeming extends Pick<Call<typeof redeem>, 'body' | 'actor' | 'request'> {
    /** The account that gets the quota. */
    readonly user: { readonly id: number; readonly username: string };
  }
  const add = async ({ body, actor, request, user }: Redeeming) => {
    const key = body.key.trim();
    if (key === '') throw new AppError('redeem_key_missing');
    const detail = user.id === actor.user.id ? '' : `user ${user.id}`;
    const added = await limited({ request, userId: actor.user.id }, () =>
      redeemCode({
        keyDigest: secrets.digest(key),
        user,
        requestId: request.id,
        language: languageOf(request.headers['accept-language']),
        alongside: (trx, code) =>
          audit.note(trx, { request, actor: actor.user, action: 'redeem', subject: `redemption ${code.id}`, detail }),
      }),
    );
    return { data: added };
  };

  route(routes, redeem, (call) => add({ ...call, user: call.actor.user }));
  route(routes, redeemForTeam, async (call) =>
    add({ ...call, user: await readManagedTeam(db.read, call.params.id, call.actor) }),
  );
};

export const redemptionRoutes = (routes: Routes, deps: RedemptionRoutesDeps): void => {
  readRoutes(routes);
  changeRoutes(routes, deps);
  redeemRoute(routes, deps);
};
