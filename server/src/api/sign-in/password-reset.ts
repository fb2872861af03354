import { randomBytes } from 'node:crypto';
import { requestReset, resetPassword } from '@weir/contract/registration';
import { userStatus } from '@weir/contract/users';
import { AppError, type Language } from '../../errors.ts';
import type { AccountLimits } from '../../http/limits/account-limits.ts';
import { languageOf } from '../../http/language.ts';
import type { MailLimits } from '../../http/limits/mail-limits.ts';
import type { Passwords } from '../../http/passwords/passwords.ts';
import { route, type Routes } from '../../http/route.ts';
import { type Mail, mailName } from '../../integrations/mail.ts';
import type { Background } from '../../jobs/background.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { saveCode, takeCode, tryCode, type Code } from '../../store/users/codes.ts';
import { randomPassword } from '../../store/credentials/random-string.ts';
import { deleteSessionsOf } from '../../store/users/sessions.ts';
import { findUserByEmail, passwordChange, updateUser, type UserRow } from '../../store/users/users.ts';
import { readEmailAddress } from './email-address.ts';
import type { HumanCheck } from './human-check.ts';
import { passwordResetMail, resetMail } from './mail-texts.ts';

export interface PasswordResetRoutesDeps {
  readonly passwords: Passwords;
  readonly changes: Changes;
  readonly clock: { now(): number };
  readonly mail: Mail;
  readonly background: Background;
  readonly checkHuman: HumanCheck;
  readonly accountLimits: AccountLimits;
  readonly mailLimits: MailLimits;
}

/** Seconds. */
const lifetime = 600;
const tokenBytes = 32;
/** A token cannot be guessed: the bound is there so that tries at one account's cost a bounded time. */
const triesMax = 1000;

/** Bound to the current password: any change of it ends the token. For no account the lookup does the same work. */
const codeOf = (routes: Routes, user: UserRow | undefined, token: string, now: number): Code => {
  const owner = `${user?.id ?? 0}/${user?.password_hash ?? ''}`;
  const digest = routes.deps.secrets.digest(`password reset/${owner}/${token}`);
  return { purpose: 'reset', subject: String(user?.id ?? 0), digest, now };
};

const requestRoute = (routes: Routes, deps: PasswordResetRoutesDeps): void => {
  const { db, options } = routes.deps;
  const { background, checkHuman, clock, mail, mailLimits } = deps;

  const sendLink = async (email: string, language: Language): Promise<void> => {
    const user = await findUserByEmail(db.read, email);
    if (user === undefined || user.status !== userStatus.enabled) return;
    const token = randomBytes(tokenBytes).toString('hex');
    await saveCode(db.write, { ...codeOf(routes, user, token, Math.floor(clock.now() / 1000)), lifetime });
    const link = `${options.get('ServerAddress')}/user/reset?${new URLSearchParams({ email, token }).toString()}`;
    // To the address as the account has it, never to the one that was entered.
    await mail.send({ to: user.email, ...resetMail({ systemName: mailName(options), language }, link) });
  };

  // Whether an address is known shows in no answer, and in no time: what depends on it is done afterwards.
  route(routes, requestReset, async ({ query, request, reply }) => {
    await mailLimits.enter(request);
    await checkHuman({ request, reply, token: query.turnstile });
    const email = readEmailAddress(query.email);
    if (email === undefined) throw new AppError('invalid_parameter');
    mail.check();
    if (options.get('ServerAddress') === '') throw new AppError('server_address_missing');
    await mailLimits.send(email);
    const language = languageOf(request.headers['accept-language']);
    if (!background.run(() => sendLink(email, language))) throw new AppError('too_many_attempts');
    return {};
  });
};

const resetRoute = (routes: Routes, deps: PasswordResetRoutesDeps): void => {
  const { audit, db, options } = routes.deps;
  const { accountLimits, background, changes, clock, mail, passwords } = deps;

  /** The account whose link this is, with its code. */
  const readLink = async (email: string, token: string) => {
    const address = readEmailAddress(email);
    const user = address === undefined ? undefined : await findUserByEmail(db.read, address);
    const code = codeOf(routes, user, token, Math.floor(clock.now() / 1000));
    const isRight = await tryCode(db, { ...code, triesMax });
    if (!isRight || user === undefined || user.status !== userStatus.enabled) throw new AppError('reset_link_invalid');
    return { user, code };
  };

  route(routes, resetPassword, async ({ body, request }) => {
    await accountLimits.enter(request);
    const token = body.token.trim();
    if (body.email.trim() === '' || token === '') throw new AppError('invalid_parameter');
    const { user, code } = await readLink(body.email, token);
    const password = randomPassword();
    const passwordHash = await passwords.hash(password);
    await db.write.transaction().execute(async (trx) => {
      if (!(await takeCode(trx, code))) throw new AppError('reset_link_invalid');
      await updateUser(trx, user.id, passwordChange(passwordHash, { mustChange: true }));
      await deleteSessionsOf(trx, { userId: user.id, keep: '' });
      await audit.note(trx, { request, actor: user, action: 'reset_password', subject: `user ${user.id}` });
    });
    changes.publish({ topic: 'user', id: user.id });
    const texts = { systemName: mailName(options), language: languageOf(request.headers['accept-language']) };
    background.run(() => mail.send({ to: user.email, ...passwordResetMail(texts, user.username) }));
    return { data: password };
  });
};

export const passwordResetRoutes = (routes: Routes, deps: PasswordResetRoutesDeps): void => {
  requestRoute(routes, deps);
  resetRoute(routes, deps);
};
