import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { signedInUserSchema } from './users.ts';
import { textQuery } from './wire.ts';

/** Sign-in providers that work by redirecting the browser there and back. */
export const oauthProviders = ['github', 'oidc', 'lark'] as const;
export type OauthProvider = (typeof oauthProviders)[number];

/** Message of an answer that bound an account instead of signing in; the only text that consoles compare (wire contract 1.1). */
export const boundMessage = 'bind';

export const createOauthState = endpoint({
  method: 'GET',
  path: '/api/oauth/state',
  access: 'public',
  effect: true,
  summary:
    'One-time state for an external sign-in, valid for ten minutes in this browser. With a provider name, the state is bound to that provider and has a PKCE challenge.',
  query: v.object({ provider: textQuery }),
  data: v.string(),
  extra: v.object({
    /** PKCE challenge (RFC 7636, method S256); only where a provider is named, and then required. */
    code_challenge: v.optional(v.string()),
  }),
});

const callbackQuery = v.object({ code: textQuery, state: textQuery });

const callback = <const Provider extends OauthProvider>(provider: Provider, name: string) =>
  endpoint({
    method: 'GET',
    path: `/api/oauth/${provider}`,
    access: 'public',
    effect: true,
    summary: `Back from ${name}: signs in, or binds the account if a user is signed in (message "${boundMessage}", no data). The same code and state return the same result for a minute.`,
    query: callbackQuery,
    data: v.optional(signedInUserSchema),
  });

export const signInByGithub = callback('github', 'the code host');
export const signInByOidc = callback('oidc', 'the OpenID Connect provider');
export const signInByLark = callback('lark', 'Lark');

export const signInByWechat = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat',
  access: 'public',
  effect: true,
  summary: 'Sign in with a chat-app code.',
  query: v.object({ code: textQuery }),
  data: signedInUserSchema,
});
export const bindWechat = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat/bind',
  access: 'user',
  effect: true,
  summary: 'Bind the chat-app account of a code to your account.',
  query: v.object({ code: textQuery }),
});
export const bindEmail = endpoint({
  method: 'GET',
  path: '/api/oauth/email/bind',
  access: 'user',
  effect: true,
  summary: 'Bind an e-mail address to your account with the code sent to it.',
  query: v.object({ email: textQuery, code: textQuery }),
});
