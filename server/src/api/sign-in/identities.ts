import {
  bindEmail,
  bindWechat,
  boundMessage,
  createOauthState,
  type OauthProvider,
  oauthProviders,
  signInByGithub,
  signInByLark,
  signInByOidc,
  signInByWechat,
} from '@weir/contract/identities';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { type AddressLimit, createAddressLimit } from '../../http/limits/address-limit.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import type { ExchangeCode, ExternalAccount } from '../../integrations/external-account.ts';
import { createGithub } from '../../integrations/github.ts';
import { createLark } from '../../integrations/lark.ts';
import { createOidc } from '../../integrations/oidc.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import { createWechat } from '../../integrations/wechat.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { isEmailTaken, updateUser } from '../../store/users/users.ts';
import { acceptEmailAddress } from './email-address.ts';
import type { EmailCodes } from './email-codes.ts';
import { createExternalSignIn, type ExternalSignIn, signInProviders, type ProviderName } from './external-sign-in.ts';
import { createOauthStates, type OauthStates, repeatSeconds } from './oauth-states.ts';
import { toSignedInUser } from '../users/user-view.ts';

export interface IdentityRoutesDeps {
  readonly emailCodes: EmailCodes;
  readonly outbound: Outbound;
  readonly changes: Changes;
  readonly clock: { now(): number };
  readonly githubUrl: string;
  readonly larkUrl: string;
}

/** Codes of the chat app are short: from one network this many wrong ones are looked at, and so many states are made. */
const codeRule = { name: 'wechat', max: 30, seconds: 10 * 60 } as const;
const stateRule = { name: 'oauth', max: 200, seconds: 10 * 60 } as const;

type Callback = Pick<Call<typeof signInByGithub>, 'query' | 'request' | 'reply'>;

interface CallbackDeps {
  readonly routes: Routes;
  readonly states: OauthStates;
  readonly signIn: ExternalSignIn;
}

/** Callback of a provider: signs in, or binds the account if a user was signed in when the state was used. */
const answerCallback = async (
  { routes, states, signIn }: CallbackDeps,
  { provider, exchange }: { readonly provider: OauthProvider; readonly exchange: ExchangeCode },
  { query: { code, state }, request, reply }: Callback,
) => {
  const { options } = routes.deps;
  const origin = options.get('ServerAddress') || `${request.protocol}://${request.host}`;
  const arrival = await states.arrive({ request, provider, state, code }, async (verifier) => {
    // A state is looked at first, as consoles know it.
    if (!signInProviders[provider].isOpen(options)) throw signInProviders[provider].closed();
    return exchange({ code, verifier, origin });
  });
  const call = { provider, account: arrival.account, request };
  if (arrival.userId !== 0) {
    await signIn.bind({ ...call, userId: arrival.userId });
    return { message: boundMessage, data: undefined };
  }
  const user = await signIn.findOrOpen(call);
  // Repeated by the session that the first answer began.
  if (arrival.session.userId === user.id) return { data: toSignedInUser(user) };
  const { data, session } = await signIn.enter({ ...call, user, reply, linger: repeatSeconds });
  await states.carry(session, arrival);
  return { data };
};

const oauthRoutes = (
  deps: CallbackDeps,
  exchanges: Readonly<Record<OauthProvider, ExchangeCode>>,
  limit: AddressLimit,
) => {
  const { routes, states } = deps;
  route(routes, createOauthState, async ({ query, request, reply }) => {
    await limit.enter(request);
    const provider = oauthProviders.find((known) => known === query.provider);
    const { state, challenge } = await states.begin(request, reply, provider);
    return { data: state, extra: challenge === undefined ? {} : { code_challenge: challenge } };
  });
  const github = { provider: 'github', exchange: exchanges.github } as const;
  const oidc = { provider: 'oidc', exchange: exchanges.oidc } as const;
  const lark = { provider: 'lark', exchange: exchanges.lark } as const;
  route(routes, signInByGithub, (call) => answerCallback(deps, github, call));
  route(routes, signInByOidc, (call) => answerCallback(deps, oidc, call));
  route(routes, signInByLark, (call) => answerCallback(deps, lark, call));
};

/** Binds an address by the code that was mailed there; the code is used up with it, or not at all. */
const emailRoute = (routes: Routes, { changes, emailCodes }: IdentityRoutesDeps): void => {
  const { audit, db, options } = routes.deps;
  route(routes, bindEmail, async ({ query: { email: given, code }, actor: { user }, request }) => {
    const email = acceptEmailAddress(given, options);
    if (code === '') throw new AppError('invalid_parameter');
    await emailCodes.check(email, code);
    await db.write.transaction().execute(async (trx) => {
      await emailCodes.use(trx, email, code);
      if (await isEmailTaken(trx, email)) throw new AppError('email_taken');
      await updateUser(trx, user.id, { email });
      await audit.note(trx, { request, actor: user, action: 'bind', subject: `user ${user.id}`, detail: 'email' });
    });
    changes.publish({ topic: 'user', id: user.id });
    return {};
  });
};

export const identityRoutes = (routes: Routes, deps: IdentityRoutesDeps): void => {
  const { clock, outbound, githubUrl, larkUrl, changes } = deps;
  const { db, options, secrets, sessions, audit } = routes.deps;
  const states = createOauthStates({ sessions, secrets, clock });
  const signIn = createExternalSignIn({ db, changes, secrets, options, clock, audit, sessions });
  const exchanges = {
    github: createGithub({ outbound, options, githubUrl }),
    oidc: createOidc({ outbound, options }),
    lark: createLark({ outbound, options, larkUrl }),
  };
  oauthRoutes({ routes, states, signIn }, exchanges, createAddressLimit({ db, clock, ...stateRule }));

  emailRoute(routes, deps);

  const wechatIdOf = createWechat({ outbound, options });
  const codes = createAddressLimit({ db, clock, ...codeRule });
  const identify = async (code: string, request: FastifyRequest) => {
    const provider: ProviderName = 'wechat';
    if (!signInProviders[provider].isOpen(options)) throw signInProviders[provider].closed();
    if (code === '') throw new AppError('invalid_parameter');
    await codes.enter(request);
    const id = await wechatIdOf(code);
    await codes.forgive(request);
    const account: ExternalAccount = { id, login: '', name: '', email: '' };
    return { provider, account, request };
  };
  route(routes, signInByWechat, async ({ query: { code }, request, reply }) => {
    const call = await identify(code, request);
    const user = await signIn.findOrOpen(call);
    return { data: (await signIn.enter({ ...call, user, reply })).data };
  });
  route(routes, bindWechat, async ({ query: { code }, actor, request }) => {
    await signIn.bind({ ...(await identify(code, request)), userId: actor.user.id });
    return {};
  });
};
