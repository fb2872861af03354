import { anyTextInput } from '@weir/contract/wire';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import {
  type AuthorizationCode,
  type ExchangeCode,
  reach,
  refusedCode,
  unreachableProvider,
} from './external-account.ts';
import type { Outbound, OutboundAnswer } from './outbound.ts';
import { readJson } from './read-json.ts';

export interface OidcDeps {
  readonly outbound: Outbound;
  readonly options: {
    text(key: 'OidcClientId' | 'OidcClientSecret' | 'OidcTokenEndpoint' | 'OidcUserinfoEndpoint'): string;
  };
}

const provider = 'OIDC';
const unreachable = unreachableProvider(provider);

const tokenAnswer = v.object({ access_token: v.optional(anyTextInput, ''), error: v.optional(anyTextInput) });
const text = v.nullish(anyTextInput, '');
const userinfoAnswer = v.object({
  sub: v.pipe(anyTextInput, v.nonEmpty(), v.maxLength(255)),
  name: text,
  preferred_username: text,
  email: text,
  email_verified: v.nullish(v.union([v.boolean(), anyTextInput]), false),
});

/**
 * The code flow of OpenID Connect Core 1.0. The token request is a form (RFC 6749), or JSON where a provider refuses
 * forms. The user comes from the userinfo endpoint over TLS, so that no signature has to be checked here. An e-mail
 * address is used only where the provider verified it.
 */
export const createOidc = ({ outbound, options }: OidcDeps): ExchangeCode => {
  const requestToken = async ({ code, verifier, origin }: AuthorizationCode): Promise<OutboundAnswer> => {
    const url = options.text('OidcTokenEndpoint');
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${origin}/oauth/oidc`,
      client_id: options.text('OidcClientId'),
      client_secret: options.text('OidcClientSecret'),
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
    };
    const answer = await reach(outbound, unreachable, { method: 'POST', url, form });
    return answer.status === 415 ? reach(outbound, unreachable, { method: 'POST', url, json: form }) : answer;
  };
  return async (grant) => {
    const token = readJson(tokenAnswer, (await requestToken(grant)).text);
    if (token === undefined || token.access_token === '') throw refusedCode(provider, token?.error);
    const userinfo = await reach(outbound, unreachable, {
      method: 'GET',
      url: options.text('OidcUserinfoEndpoint'),
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    const user = readJson(userinfoAnswer, userinfo.text);
    if (user === undefined || userinfo.status !== 200) throw new AppError('oauth_answer_illegal');
    const isVerified = String(user.email_verified) === 'true';
    return { id: user.sub, login: user.preferred_username, name: user.name, email: isVerified ? user.email : '' };
  };
};
