import type { BodyOf } from '@weir/contract/endpoint';
import { register, sendEmailCode } from '@weir/contract/registration';
import { openAccount } from '../../billing/credits/open-account.ts';
import { AppError } from '../../errors.ts';
import type { AccountLimits } from '../../http/limits/account-limits.ts';
import { languageOf } from '../../http/language.ts';
import type { MailLimits } from '../../http/limits/mail-limits.ts';
import { hashNewPassword } from '../../http/passwords/new-password.ts';
import type { Passwords } from '../../http/passwords/passwords.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import { type Mail, mailName } from '../../integrations/mail.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { readUserName, refuseTakenName } from '../../store/users/user-names.ts';
import { isEmailTaken } from '../../store/users/users.ts';
import { acceptInvitation, findInvited, type Invited, invitedAccount } from '../invitations/invited-account.ts';
import { acceptEmailAddress } from './email-address.ts';
import type { EmailCodes } from './email-codes.ts';
import type { HumanCheck } from './human-check.ts';
import { codeMail } from './mail-texts.ts';

export interface RegistrationRoutesDeps {
  readonly passwords: Passwords;
  readonly changes: Changes;
  readonly clock: { now(): number };
  readonly mail: Mail;
  readonly emailCodes: EmailCodes;
  readonly checkHuman: HumanCheck;
  readonly accountLimits: AccountLimits;
  readonly mailLimits: MailLimits;
}

/** An address with the code that proves it. */
interface Proof {
  readonly email: string;
  readonly code: string;
}

const registerRoute = (routes: Routes, deps: RegistrationRoutesDeps): void => {
  const { audit, db, options, secrets } = routes.deps;
  const { accountLimits, changes, checkHuman, clock, emailCodes, passwords } = deps;

  const refuseWhereClosed = (): void => {
    if (!options.get('RegisterEnabled')) throw new AppError('register_closed');
    if (!options.get('PasswordRegisterEnabled')) throw new AppError('password_register_closed');
  };

  /** The address that the account gets; undefined: addresses are not required, and the one in the body is ignored. */
  const readProof = async (body: BodyOf<typeof register>): Promise<Proof | undefined> => {
    if (!options.get('EmailVerificationEnabled')) return undefined;
    const code = (body.verification_code ?? '').trim();
    if ((body.email ?? '').trim() === '' || code === '') throw new AppError('email_required');
    const email = acceptEmailAddress(body.email ?? '', options);
    if (await isEmailTaken(db.read, email)) throw new AppError('email_taken');
    await emailCodes.check(email, code);
    return { email, code };
  };

  const open = async ({ body, request }: Call<typeof register>, invited: Invited | undefined): Promise<void> => {
    const at = Math.floor(clock.now() / 1000);
    const username = readUserName(body.username);
    // Checked before a code is tried, so that a taken name costs no try.
    await refuseTakenName(db.read, username);
    const names = [username, (body.email ?? '').trim(), options.text('SystemName'), request.hostname];
    const passwordHash = await hashNewPassword(passwords, body.password, ...names);
    const proof = await readProof(body);
    const account = {
      username,
      passwordHash,
      email: proof?.email ?? '',
      inviteCode: body.aff_code ?? '',
      ...(invited === undefined ? {} : invitedAccount(invited, at)),
      language: languageOf(request.headers['accept-language']),
    };
    await openAccount({ db, secrets, options, changes, clock }, account, async (trx, user) => {
      if (proof !== undefined) await emailCodes.use(trx, proof.email, proof.code);
      if (invited !== undefined) await acceptInvitation(trx, secrets, invited, { userId: user.id, at });
      const detail = invited === undefined ? '' : `invitation ${invited.invitation.id}`;
      await audit.note(trx, { request, actor: user, action: 'register', subject: `user ${user.id}`, detail });
    });
  };

  route(routes, register, (call) =>
    accountLimits.open(call.request, async () => {
      await checkHuman({ ...call, token: call.query.turnstile });
      // An invitation is the permission of an administrator.
      const invited = await findInvited(db.read, secrets, call.body.aff_code ?? '');
      if (invited === undefined) refuseWhereClosed();
      await open(call, invited);
      return {};
    }),
  );
};

const emailCodeRoute = (routes: Routes, deps: RegistrationRoutesDeps): void => {
  const { db, options } = routes.deps;
  const { checkHuman, emailCodes, mail, mailLimits } = deps;

  route(routes, sendEmailCode, async ({ query, request, reply }) => {
    await mailLimits.enter(request);
    await checkHuman({ request, reply, token: query.turnstile });
    const email = acceptEmailAddress(query.email, options);
    if (await isEmailTaken(db.read, email)) throw new AppError('email_taken');
    mail.check();
    await mailLimits.send(email);
    const language = languageOf(request.headers['accept-language']);
    const code = await emailCodes.issue(email);
    await mail.send({ to: email, ...codeMail({ systemName: mailName(options), language }, code) });
    return {};
  });
};

export const registrationRoutes = (routes: Routes, deps: RegistrationRoutesDeps): void => {
  registerRoute(routes, deps);
  emailCodeRoute(routes, deps);
};
