import { randomBytes } from 'node:crypto';
import { listAvailableModels } from '@weir/contract/models';
import type { BodyOf } from '@weir/contract/endpoint';
import { createAccessToken, deleteSelf, getInviteCode, getSelf, updateSelf } from '@weir/contract/users';
import { role } from '@weir/contract/roles';
import { createInviteCode } from '../../billing/credits/open-account.ts';
import { AppError } from '../../errors.ts';
import { changedNames } from '../../http/audit.ts';
import type { Actor } from '../../http/authenticate.ts';
import { hashNewPassword } from '../../http/passwords/new-password.ts';
import type { Passwords } from '../../http/passwords/passwords.ts';
import { route, type Routes } from '../../http/route.ts';
import { listGroupModels } from '../../store/channels/abilities.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { leaveTeams } from '../../store/teams/teams.ts';
import { readUserName, refuseTakenName } from '../../store/users/user-names.ts';
import { deleteUser, passwordChange, updateUser, type UserChange } from '../../store/users/users.ts';
import { toUser } from './user-view.ts';

export interface UserRoutesDeps {
  readonly passwords: Passwords;
  readonly changes: Changes;
  readonly clock: { now(): number };
}

/** The changes to the own account. Empty and absent members stay as they are; no other member is read. */
const readChange = async (
  { username = '', display_name: displayName = '', password = '' }: BodyOf<typeof updateSelf>,
  { user }: Actor,
  passwords: Passwords,
): Promise<UserChange> => ({
  ...(username === '' || username === user.username ? {} : { username: readUserName(username) }),
  ...(displayName === '' ? {} : { display_name: displayName }),
  ...(password === ''
    ? {}
    : passwordChange(await hashNewPassword(passwords, password, username === '' ? user.username : username), {
        // The initial password entered once more is no change.
        mustChange: user.must_change_password === 1 && (await passwords.matches(password, user.password_hash)),
      })),
});

export const userRoutes = (routes: Routes, { passwords, changes, clock }: UserRoutesDeps): void => {
  const { audit, db, secrets, sessions } = routes.deps;

  route(routes, getSelf, async ({ actor }) => ({ data: toUser(actor.user) }));

  route(routes, updateSelf, async ({ actor, body, request }) => {
    const { id } = actor.user;
    const change = await readChange(body, actor, passwords);
    if (Object.keys(change).length === 0) return {};
    await db.write.transaction().execute(async (trx) => {
      await refuseTakenName(trx, change.username, id);
      await updateUser(trx, id, change);
      const detail = changedNames(change, actor.user).join(' ');
      await audit.note(trx, { request, actor: actor.user, action: 'update_self', subject: `user ${id}`, detail });
    });
    if (change.password_hash !== undefined) await sessions.closeAll(id, actor.sessionDigest);
    changes.publish({ topic: 'user', id });
    return {};
  });

  route(routes, createAccessToken, async ({ actor, request }) => {
    const { id } = actor.user;
    const token = randomBytes(16).toString('hex');
    await db.write.transaction().execute(async (trx) => {
      await updateUser(trx, id, { access_token_digest: secrets.digest(token) });
      await audit.note(trx, { request, actor: actor.user, action: 'create_access_token', subject: `user ${id}` });
    });
    changes.publish({ topic: 'user', id });
    return { data: token };
  });

  route(routes, getInviteCode, async ({ actor: { user } }) => {
    if (user.aff_code !== '') return { data: user.aff_code };
    const code = createInviteCode();
    await updateUser(db.write, user.id, { aff_code: code });
    return { data: code };
  });

  route(routes, deleteSelf, async ({ actor: { user }, request, reply }) => {
    if (user.role >= role.root) throw new AppError('root_undeletable');
    const teams = await db.write.transaction().execute(async (trx) => {
      const left = await leaveTeams(trx, user.id, Math.floor(clock.now() / 1000));
      await deleteUser(trx, user.id);
      await audit.note(trx, { request, actor: user, action: 'delete_self', subject: `user ${user.id}` });
      return left;
    });
    await sessions.closeAll(user.id);
    await sessions.close(request, reply);
    for (const id of [user.id, ...teams]) changes.publish({ topic: 'user', id });
    return {};
  });

  route(routes, listAvailableModels, async ({ actor }) => ({ data: await listGroupModels(db, actor.user.group) }));
};
