import { randomBytes } from 'node:crypto';
import { createAccessToken, getSelf, login, logout, passwordLength, updateSelf } from '@weir/contract/users';
import { listAvailableModels } from '@weir/contract/models';
import { AppError } from '../errors.ts';
import type { Actor } from '../http/authenticate.ts';
import { createLoginLimits } from '../http/login-limits.ts';
import type { Passwords } from '../http/passwords.ts';
import { route, type Routes } from '../http/route.ts';
import { listGroupModels } from '../store/abilities.ts';
import { isUniqueViolation } from '../store/engine/database-error.ts';
import type { Changes } from '../store/changes.ts';
import { findUserForLogin, updateUser, type UserChange } from '../store/users.ts';
import { toSignedInUser, toUser } from './user-view.ts';

export interface UserRoutesDeps {
  readonly passwords: Passwords;
  readonly changes: Changes;
  readonly clock: { now(): number };
}

const enabled = 1;

const loginRoutes = (routes: Routes, { passwords, clock }: UserRoutesDeps): void => {
  const { audit, db, options, sessions } = routes.deps;
  const limits = createLoginLimits(clock);

  route(routes, login, async ({ body, request, reply }) => {
    if (!options.get('PasswordLoginEnabled')) throw new AppError('password_login_closed');
    if (body.username === '' || body.password === '') throw new AppError('invalid_parameter');
    const account = body.username.toLowerCase();
    if (!limits.allows(account)) throw new AppError('too_many_attempts');
    const user = await findUserForLogin(db, body.username);
    const matches = await passwords.matches(body.password, user?.password_hash);
    if (user === undefined || !matches || user.status !== enabled) {
      limits.failed(account);
      await audit.noteAlone({ request, actor: undefined, action: 'login_failed', subject: body.username.slice(0, 64) });
      throw new AppError('wrong_credentials');
    }
    limits.succeeded(account);
    await sessions.open(request, reply, user);
    await audit.noteAlone({ request, actor: user, action: 'login', subject: `user ${user.id}` });
    return { data: toSignedInUser(user) };
  });

  route(routes, logout, async ({ request, reply }) => {
    await sessions.close(request, reply);
    return {};
  });
};

const hashNewPassword = async (passwords: Passwords, password: string, username: string): Promise<string> => {
  const length = [...password].length;
  if (length < passwordLength.min) throw new AppError('password_too_short');
  if (length > passwordLength.max) throw new AppError('password_too_long');
  if (password.toLowerCase() === username.toLowerCase()) throw new AppError('password_too_common');
  return passwords.hash(password);
};

const readChange = async (
  { password, username, display_name }: { password?: string | undefined; username?: string | undefined; display_name?: string | undefined },
  { user }: Actor,
  passwords: Passwords,
): Promise<UserChange> => ({
  ...(username ? { username } : {}),
  ...(display_name ? { display_name } : {}),
  ...(password
    ? { password_hash: await hashNewPassword(passwords, password, username || user.username), must_change_password: 0 }
    : {}),
});

export const userRoutes = (routes: Routes, deps: UserRoutesDeps): void => {
  const { passwords, changes } = deps;
  const { audit, db, secrets, sessions } = routes.deps;
  loginRoutes(routes, deps);

  route(routes, getSelf, async ({ actor }) => ({ data: toUser(actor.user) }));

  route(routes, updateSelf, async ({ actor, body, request }) => {
    const change = await readChange(body, actor, passwords);
    if (Object.keys(change).length === 0) return {};
    try {
      await db.query.transaction().execute(async (trx) => {
        await updateUser(trx, actor.user.id, change);
        await audit.note(trx, { request, actor: actor.user, action: 'update_self', subject: Object.keys(change).join(' ') });
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new AppError('username_taken') : error;
    }
    if (change.password_hash !== undefined) await sessions.closeAll(actor.user.id, actor.sessionDigest);
    changes.publish({ topic: 'user', id: actor.user.id });
    return {};
  });

  route(routes, createAccessToken, async ({ actor, request }) => {
    const token = randomBytes(16).toString('hex');
    await db.query.transaction().execute(async (trx) => {
      await updateUser(trx, actor.user.id, { access_token_digest: secrets.digest(token) });
      await audit.note(trx, { request, actor: actor.user, action: 'create_access_token', subject: `user ${actor.user.id}` });
    });
    changes.publish({ topic: 'user', id: actor.user.id });
    return { data: token };
  });

  route(routes, listAvailableModels, async ({ actor }) => ({ data: await listGroupModels(db, actor.user.group) }));
};
