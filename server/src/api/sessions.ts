import { userStatus, login, logout } from '@weir/contract/users';
import { AppError } from '../errors.ts';
import { createLoginLimits } from '../http/login-limits.ts';
import type { Passwords } from '../http/passwords.ts';
import { route, type Routes } from '../http/route.ts';
import { findUserForLogin } from '../store/users.ts';
import { toSignedInUser } from './user-view.ts';

export interface SessionRoutesDeps {
  readonly passwords: Passwords;
  readonly clock: { now(): number };
}

/** Characters of a tried name that the audit log keeps. */
const auditedNameMax = 64;

export const sessionRoutes = (routes: Routes, { passwords, clock }: SessionRoutesDeps): void => {
  const { audit, db, options, sessions } = routes.deps;
  const limits = createLoginLimits({ db, clock });

  route(routes, login, async ({ body, request, reply }) => {
    if (!options.get('PasswordLoginEnabled')) throw new AppError('password_login_closed');
    if (body.username === '' || body.password === '') throw new AppError('invalid_parameter');
    const user = await findUserForLogin(db, body.username);
    const attempt = { request, name: body.username, userId: user?.id };
    await limits.enter(attempt);
    const matches = await passwords.matches(body.password, user?.password_hash);
    if (user === undefined || !matches || user.status !== userStatus.enabled) {
      const subject = body.username.slice(0, auditedNameMax);
      await audit.noteAlone({ request, actor: undefined, action: 'login_failed', subject });
      throw new AppError('wrong_credentials');
    }
    await limits.succeeded(attempt);
    await sessions.open(request, reply, user);
    await audit.noteAlone({ request, actor: user, action: 'login', subject: `user ${user.id}` });
    return { data: toSignedInUser(user) };
  });

  route(routes, logout, async ({ request, reply }) => {
    await sessions.close(request, reply);
    return {};
  });
};
