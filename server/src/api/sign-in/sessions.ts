import { userStatus, login, logout } from '@weir/contract/users';
import { AppError } from '../../errors.ts';
import { createKnownDevices } from '../../http/known-devices.ts';
import { createLoginLimits } from '../../http/limits/login-limits.ts';
import type { Passwords } from '../../http/passwords/passwords.ts';
import { route, type Routes } from '../../http/route.ts';
import { findUserForLogin, replacePasswordHash, type UserRow } from '../../store/users/users.ts';
import { toSignedInUser } from '../users/user-view.ts';

export interface SessionRoutesDeps {
  readonly passwords: Passwords;
  readonly clock: { now(): number };
}

/** Characters of a tried name that the audit log keeps. */
const auditedNameMax = 64;

export const sessionRoutes = (routes: Routes, { passwords, clock }: SessionRoutesDeps): void => {
  const { audit, db, options, secrets, sessions } = routes.deps;
  const limits = createLoginLimits({ db, secrets, clock });
  const devices = createKnownDevices(secrets);

  /** Imported hashes, and those of lower cost, are replaced at sign-in, when the password is known. */
  const renewHash = async ({ id, password_hash: from }: UserRow, password: string): Promise<void> => {
    if (!passwords.isCurrent(from)) await replacePasswordHash(db, { id, from, to: await passwords.hash(password) });
  };

  route(routes, login, async ({ body, request, reply }) => {
    if (!options.get('PasswordLoginEnabled')) throw new AppError('password_login_closed');
    if (body.username === '' || body.password === '') throw new AppError('invalid_parameter');
    const user = await findUserForLogin(db, body.username);
    const device = user === undefined ? undefined : devices.find(request, user.id);
    const attempt = { request, name: body.username, userId: user?.id, device };
    await limits.enter(attempt);
    const matches = await passwords.matches(body.password, user?.password_hash);
    if (user === undefined || !matches || user.status !== userStatus.enabled) {
      const subject = body.username.slice(0, auditedNameMax);
      await audit.noteAlone({ request, actor: undefined, action: 'login_failed', subject });
      throw new AppError('wrong_credentials');
    }
    await limits.succeeded(attempt);
    await renewHash(user, body.password);
    await sessions.open(request, reply, user);
    devices.remember(request, reply, user.id);
    await audit.noteAlone({ request, actor: user, action: 'login', subject: `user ${user.id}` });
    return { data: toSignedInUser(user) };
  });

  route(routes, logout, async ({ request, reply }) => {
    await sessions.close(request, reply);
    return {};
  });
};
