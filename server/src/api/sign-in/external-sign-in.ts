import type { OptionKey } from '@weir/contract/options';
import { type SignedInUser, usernameMax, userStatus } from '@weir/contract/users';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type NewAccount, openAccount, type OpenAccountDeps } from '../../billing/credits/open-account.ts';
import { AppError } from '../../errors.ts';
import { languageOf } from '../../http/language.ts';
import type { RouteDeps } from '../../http/route.ts';
import type { Session } from '../../http/sessions.ts';
import type { ExternalAccount } from '../../integrations/external-account.ts';
import type { Options } from '../../store/options.ts';
import {
  bindIdentity,
  findImportedGithubUser,
  findUser,
  findUserByIdentity,
  isEmailTaken,
  updateUser,
} from '../../store/users/users.ts';
import { readUserName } from '../../store/users/user-names.ts';
import type { IdentityColumn, UserRow } from '../../store/users/users.ts';
import { acceptEmailAddress } from './email-address.ts';
import { toSignedInUser } from '../users/user-view.ts';

/** A sign-in provider. */
export interface SignInProvider {
  /** The column with the provider's id of an account. */
  readonly column: IdentityColumn;
  /** A new account is called so, completed by its id. */
  readonly prefix: string;
  /** The display name of a new account whose owner has no name at the provider. */
  readonly displayName: string;
  readonly isOpen: (options: Options) => boolean;
  readonly closed: () => AppError;
  readonly taken: () => AppError;
}

const switched = (key: OptionKey) => (options: Options) => options.text(key) === 'true';
const failures = (provider: string) => ({
  closed: () => new AppError('oauth_closed', { provider }),
  taken: () => new AppError('oauth_bound', { provider }),
});

export const signInProviders = {
  github: {
    column: 'github_uid',
    prefix: 'github_',
    displayName: 'GitHub User',
    isOpen: switched('GitHubOAuthEnabled'),
    ...failures('GitHub'),
  },
  oidc: {
    column: 'oidc_id',
    prefix: 'oidc_',
    displayName: 'OIDC User',
    isOpen: switched('OidcEnabled'),
    ...failures('OIDC'),
  },
  lark: {
    column: 'lark_id',
    prefix: 'lark_',
    displayName: 'Lark User',
    isOpen: (options) => options.text('LarkClientId') !== '',
    ...failures('Lark'),
  },
  wechat: {
    column: 'wechat_id',
    prefix: 'wechat_',
    displayName: 'WeChat User',
    isOpen: switched('WeChatAuthEnabled'),
    closed: () => new AppError('wechat_closed'),
    taken: () => new AppError('wechat_bound'),
  },
} as const satisfies Record<string, SignInProvider>;
export type ProviderName = keyof typeof signInProviders;

/** An account that a provider has authenticated. */
export interface ExternalCall {
  readonly provider: ProviderName;
  readonly account: ExternalAccount;
  readonly request: FastifyRequest;
}

export interface ExternalSignIn {
  /** The user of the account; if there is none and registration is open, a new user. */
  findOrOpen(call: ExternalCall): Promise<UserRow>;
  /** Signs a user in. `linger`: see `Sessions.open`. */
  enter(
    call: ExternalCall & { readonly user: UserRow; readonly reply: FastifyReply; readonly linger?: number },
  ): Promise<{ readonly data: SignedInUser; readonly session: Session }>;
  /** Binds the account to a user, replacing the one that was bound before. */
  bind(call: ExternalCall & { readonly userId: number }): Promise<void>;
}

interface ExternalSignInDeps extends OpenAccountDeps, Pick<RouteDeps, 'audit' | 'sessions'> {
  readonly options: Options;
}

const displayNameMax = 20;

const identityOf = (provider: ProviderName, { id, login }: ExternalAccount): NonNullable<NewAccount['identity']> =>
  provider === 'github' ? { github_uid: id, github_id: login } : { [signInProviders[provider].column]: id };

/**
 * The name that an OpenID Connect provider proposes, if it is a valid user name here and not like an e-mail address.
 */
const proposedName = ({ provider, account: { login } }: ExternalCall): string | undefined => {
  const name = login.normalize('NFKC');
  const isUsable = provider === 'oidc' && [...name].length <= usernameMax && /^[\p{L}\p{N}._-]+$/u.test(name);
  return isUsable ? readUserName(name) : undefined;
};

/**
 * The address to store: one that could be registered here and belongs to no account. An address of another account
 * stays with it: an address alone never merges two accounts.
 */
const freeAddress = async ({ db, options }: ExternalSignInDeps, { account }: ExternalCall): Promise<string> => {
  try {
    const email = acceptEmailAddress(account.email, options);
    return (await isEmailTaken(db.read, email)) ? '' : email;
  } catch (error) {
    if (error instanceof AppError) return '';
    throw error;
  }
};

const newAccount = async (deps: ExternalSignInDeps, call: ExternalCall): Promise<Omit<NewAccount, 'username'>> => {
  const { account, provider, request } = call;
  const name = [...account.name.trim()].slice(0, displayNameMax).join('');
  return {
    displayName: name === '' ? signInProviders[provider].displayName : name,
    email: await freeAddress(deps, call),
    identity: identityOf(provider, account),
    language: languageOf(request.headers['accept-language']),
  };
};

const createOpening = (deps: ExternalSignInDeps) => {
  const { audit, db, options } = deps;
  const find = ({ provider, account }: ExternalCall) =>
    findUserByIdentity(db.read, signInProviders[provider].column, account.id);
  /** An account of another gateway, which knew the login name alone (wire contract 2.10), has the number from now on. */
  const findImported = async ({ provider, account }: ExternalCall): Promise<UserRow | undefined> => {
    const user = provider === 'github' ? await findImportedGithubUser(db.read, account.login) : undefined;
    if (user === undefined) return undefined;
    return (await bindIdentity(db.write, user.id, { github_uid: account.id })) ? user : undefined;
  };
  const openAs = async (call: ExternalCall, username: NewAccount['username']): Promise<UserRow | undefined> => {
    const { request, provider } = call;
    await openAccount(deps, { ...(await newAccount(deps, call)), username }, (trx, user) =>
      audit.note(trx, { request, actor: user, action: 'register', subject: `user ${user.id}`, detail: provider }),
    );
    return find(call);
  };
  return async (call: ExternalCall): Promise<UserRow> => {
    const { provider, account } = call;
    const known = (await find(call)) ?? (await findImported(call)) ?? (await find(call));
    if (known !== undefined && provider === 'github' && known.github_id !== account.login) {
      await updateUser(db.write, known.id, { github_id: account.login });
    }
    if (known !== undefined) return known;
    if (!options.get('RegisterEnabled')) throw new AppError('register_closed');
    const byId = { prefix: signInProviders[provider].prefix };
    const opened = await openAs(call, proposedName(call) ?? byId).catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'username_taken') throw error;
      // The proposed name is taken, or the same account opened one at the same moment.
      return (await find(call)) ?? openAs(call, byId);
    });
    if (opened === undefined) throw new AppError('oauth_unfinished');
    return opened;
  };
};

export const createExternalSignIn = (deps: ExternalSignInDeps): ExternalSignIn => {
  const { audit, changes, db, sessions } = deps;
  return {
    findOrOpen: createOpening(deps),
    enter: async ({ user, request, reply, provider, linger }) => {
      if (user.status !== userStatus.enabled) throw new AppError('banned');
      const session = await sessions.open(request, reply, user, linger);
      const subject = `user ${user.id}`;
      await audit.noteAlone({ request, actor: user, action: 'login', subject, detail: provider });
      return { data: toSignedInUser(user), session };
    },
    bind: async ({ userId, request, provider, account }) => {
      const user = await findUser(db.read, userId);
      if (user?.status !== userStatus.enabled) throw new AppError('banned');
      await db.write.transaction().execute(async (trx) => {
        const imported = provider === 'github' ? await findImportedGithubUser(trx, account.login) : undefined;
        if (imported !== undefined && imported.id !== userId) throw signInProviders[provider].taken();
        if (!(await bindIdentity(trx, userId, identityOf(provider, account)))) throw signInProviders[provider].taken();
        await audit.note(trx, { request, actor: user, action: 'bind', subject: `user ${userId}`, detail: provider });
      });
      changes.publish({ topic: 'user', id: userId });
    },
  };
};
