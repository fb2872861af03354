import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  manageUser,
  searchUsers,
  topUpUser,
  updateUser,
  userOrders,
  userStatus,
} from '@weir/contract/users';
import { outranks } from '@weir/contract/roles';
import { adjustQuota } from '../../billing/credits/adjust-quota.ts';
import { openAccount } from '../../billing/credits/open-account.ts';
import { topUp } from '../../billing/credits/top-up.ts';
import { AppError } from '../../errors.ts';
import { changedNames } from '../../http/audit.ts';
import { languageOf } from '../../http/language.ts';
import { hashNewPassword } from '../../http/passwords/new-password.ts';
import type { Passwords } from '../../http/passwords/passwords.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import { disableTeamTokens, leaveTeams } from '../../store/teams/teams.ts';
import { deleteSessionsOf } from '../../store/users/sessions.ts';
import { countTokens } from '../../store/tokens.ts';
import * as list from '../../store/users/user-list.ts';
import { readUserName, refuseTakenName } from '../../store/users/user-names.ts';
import * as store from '../../store/users/users.ts';
import { checkGroup, checkRank, readAction, readUpdate } from './user-input.ts';
import { toAccount, toStanding } from './user-view.ts';

export interface ManagedUserRoutesDeps {
  readonly passwords: Passwords;
  readonly changes: Changes;
  readonly clock: { now(): number };
}

const readRoutes = (routes: Routes): void => {
  const { db } = routes.deps;

  route(routes, listUsers, async ({ query, actor }) => {
    const order = userOrders.find((known) => known === query.order) ?? '';
    const [rows, total] = await Promise.all([
      list.listUsers(db, { order, page: query.p, reader: actor.user.id }),
      query.p === 0 ? list.countUsers(db) : undefined,
    ]);
    return { data: rows.map(toAccount), total };
  });

  route(routes, searchUsers, async ({ query }) => {
    const rows = await list.searchUsers(db, query.keyword);
    return { data: rows.map(toAccount) };
  });

  route(routes, getUser, async ({ params, actor }) => {
    const user = await store.findUser(db.read, params.id);
    if (user === undefined) throw new AppError('not_found');
    if (!outranks(actor.user.role, user.role)) throw new AppError('user_rank_read');
    return { data: { ...toAccount(user), token_count: await countTokens(db.read, user.id) } };
  });
};

const createRoute = (routes: Routes, { changes, clock, passwords }: ManagedUserRoutesDeps): void => {
  const { audit, db, options, secrets } = routes.deps;

  route(routes, createUser, async ({ body, actor, request }) => {
    const { password, display_name: displayName } = body;
    if (body.username === '' || password === '') throw new AppError('invalid_parameter');
    if (body.role >= actor.user.role) throw new AppError('user_rank_create');
    const username = readUserName(body.username);
    const passwordHash = await hashNewPassword(passwords, password, username);
    const account = {
      username,
      passwordHash,
      ...(displayName === '' ? {} : { displayName }),
      language: languageOf(request.headers['accept-language']),
    };
    await openAccount({ db, changes, secrets, options, clock }, account, (trx, { id }) =>
      audit.note(trx, { request, actor: actor.user, action: 'create_user', subject: `user ${id}` }),
    );
    return {};
  });
};

/** Whether the user must sign in again: disabled, or given another password or a higher role. */
const endsSessions = ({ status, role, password_hash }: store.UserChange, before: store.UserRow): boolean =>
  (status !== undefined && status !== userStatus.enabled) ||
  (typeof role === 'number' && role > before.role) ||
  password_hash !== undefined;

interface AppliedChange {
  readonly user: store.UserRow;
  readonly change: store.UserChange;
  /** A session to leave alone; empty: none. */
  readonly keep?: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Changes the account, and ends what it could do through teams. Returns the accounts that are not as they were. */
const applyChange = async (
  trx: DatabaseTransaction,
  { user, change, keep = '', at }: AppliedChange,
): Promise<readonly number[]> => {
  const { status } = change;
  const isDeleted = status === userStatus.deleted;
  const left = isDeleted ? await leaveTeams(trx, user.id, at) : [];
  const banned = status === userStatus.disabled ? await disableTeamTokens(trx, user.id) : [];
  if (isDeleted) await store.deleteUser(trx, user.id);
  else await store.updateUser(trx, user.id, change);
  if (endsSessions(change, user)) await deleteSessionsOf(trx, { userId: user.id, keep });
  return [user.id, ...left, ...banned];
};

const updateRoute = (routes: Routes, { changes, clock, passwords }: ManagedUserRoutesDeps): void => {
  const { audit, db, options } = routes.deps;

  const readPassword = async ({ body, actor }: Call<typeof updateUser>): Promise<store.UserChange> => {
    const user = await store.findUser(db.read, body.id);
    if (user === undefined) throw new AppError('not_found');
    // A hash costs too much to be made for a call that is refused anyway; what counts is checked again below.
    readUpdate(body, actor.user, user);
    if (body.password === '') return {};
    const hash = await hashNewPassword(passwords, body.password, body.username ?? user.username);
    return store.passwordChange(hash);
  };

  const change = async (
    trx: DatabaseTransaction,
    { body, actor, request }: Call<typeof updateUser>,
    password: store.UserChange,
  ): Promise<readonly number[]> => {
    const user = await store.lockUser(trx, body.id);
    if (user === undefined) throw new AppError('not_found');
    const columns = { ...readUpdate(body, actor.user, user), ...password };
    if (columns.group !== undefined && columns.group !== user.group)
      checkGroup(columns.group, options.get('GroupRatio'));
    await refuseTakenName(trx, columns.username, user.id);
    const keep = user.id === actor.user.id ? actor.sessionDigest : undefined;
    const at = Math.floor(clock.now() / 1000);
    const changed = await applyChange(trx, { user, change: columns, at, ...(keep === undefined ? {} : { keep }) });
    const adjusted =
      body.quota !== undefined &&
      (await adjustQuota(trx, options, {
        user,
        edit: { wanted: body.quota, seen: body.quota_seen, usedSeen: body.used_quota },
        actorId: actor.user.id,
        requestId: request.id,
        language: languageOf(request.headers['accept-language']),
        at,
      }));
    const detail = [...changedNames(columns, user), ...(adjusted ? ['quota'] : [])].join(' ');
    await audit.note(trx, { request, actor: actor.user, action: 'update_user', subject: `user ${user.id}`, detail });
    return changed;
  };

  route(routes, updateUser, async (call) => {
    const password = await readPassword(call);
    const changed = await db.write.transaction().execute((trx) => change(trx, call, password));
    for (const id of changed) changes.publish({ topic: 'user', id });
    return {};
  });
};

const actionRoutes = (routes: Routes, { changes, clock }: ManagedUserRoutesDeps): void => {
  const { audit, db } = routes.deps;
  const seconds = (): number => Math.floor(clock.now() / 1000);

  route(routes, manageUser, async ({ body, actor, request }) => {
    const { id } = (await store.findUserByName(db.read, body.username)) ?? {};
    if (id === undefined) throw new AppError('user_unknown');
    const { standing, changed } = await db.write.transaction().execute(async (trx) => {
      const user = await store.lockUser(trx, id);
      if (user === undefined) throw new AppError('user_unknown');
      const change = readAction(body.action, actor.user, user);
      if (Object.keys(change).length === 0) return { standing: user, changed: [] };
      const accounts = await applyChange(trx, { user, change, at: seconds() });
      await audit.note(trx, { request, actor: actor.user, action: `${body.action}_user`, subject: `user ${id}` });
      return {
        standing: { role: change.role ?? user.role, status: change.status ?? user.status },
        changed: accounts,
      };
    });
    for (const account of changed) changes.publish({ topic: 'user', id: account });
    return { data: toStanding(standing) };
  });

  route(routes, deleteUser, async ({ params: { id }, actor, request }) => {
    const changed = await db.write.transaction().execute(async (trx) => {
      const user = await store.lockUser(trx, id);
      if (user === undefined) throw new AppError('not_found');
      // Not even root deletes root.
      if (actor.user.role <= user.role) throw new AppError('user_rank_delete');
      const accounts = await applyChange(trx, { user, change: { status: userStatus.deleted }, at: seconds() });
      await audit.note(trx, { request, actor: actor.user, action: 'delete_user', subject: `user ${id}` });
      return accounts;
    });
    for (const account of changed) changes.publish({ topic: 'user', id: account });
    return {};
  });
};

/** Characters; longer ones are no keys. */
const idempotencyKeyMax = 255;

const topUpRoute = (routes: Routes, { changes, clock }: ManagedUserRoutesDeps): void => {
  const { audit, db, options } = routes.deps;

  route(routes, topUpUser, async ({ body, actor, request }) => {
    const { user_id: id, quota, remark } = body;
    if (quota < 0) throw new AppError('quota_negative');
    const { 'idempotency-key': named = '', 'accept-language': accepted } = request.headers;
    const idempotencyKey = String(named).trim();
    if (idempotencyKey.length > idempotencyKeyMax) throw new AppError('invalid_parameter');
    await db.write.transaction().execute(async (trx) => {
      const user = await store.lockUser(trx, id);
      if (user === undefined) throw new AppError('user_unknown');
      checkRank(actor.user, user);
      const added = await topUp(trx, options, {
        user,
        quota,
        remark,
        actorId: actor.user.id,
        idempotencyKey: idempotencyKey === '' ? undefined : idempotencyKey,
        requestId: request.id,
        language: languageOf(accepted),
        at: Math.floor(clock.now() / 1000),
      });
      if (!added) return;
      const detail = `${quota}`;
      await audit.note(trx, { request, actor: actor.user, action: 'top_up', subject: `user ${id}`, detail });
    });
    changes.publish({ topic: 'user', id });
    return {};
  });
};

/** The routes of administrators for the accounts of others. */
export const managedUserRoutes = (routes: Routes, deps: ManagedUserRoutesDeps): void => {
  readRoutes(routes);
  createRoute(routes, deps);
  updateRoute(routes, deps);
  actionRoutes(routes, deps);
  topUpRoute(routes, deps);
};
