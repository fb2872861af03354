import { type AuthorizationCodes, authorizePage, createAuthorizationCodes } from './authorization-codes.ts';
import { type Counterpart, demand, startCounterpart } from './counterpart.ts';
import { parseObject, textIn } from '../../parsing/json.ts';

export interface OidcPerson {
  readonly sub: string;
  readonly name?: string;
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** A strict OpenID Connect provider: authorization, token and userinfo endpoints. */
export interface OidcProvider extends Counterpart {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly codes: AuthorizationCodes<OidcPerson>;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string;
  /** The format that the token endpoint expects. */
  tokenForm: 'form' | 'json';
}

const clientId = 'weir';
const clientSecret = 'oidc-secret-canary';

const readForm = (body: string, form: OidcProvider['tokenForm']): Record<string, unknown> =>
  form === 'json' ? { ...parseObject(body) } : Object.fromEntries(new URLSearchParams(body));

export const startOidcProvider = async (): Promise<OidcProvider> => {
  const codes = createAuthorizationCodes<OidcPerson>({ sub: 'sub-1' });
  const settings: Pick<OidcProvider, 'tokenForm'> = { tokenForm: 'form' };
  const counterpart = await startCounterpart({
    'GET /authorize/': ({ query }) => {
      demand(query.get('response_type') === 'code', 'response_type');
      demand(query.get('client_id') === clientId, 'client_id');
      demand(query.get('scope') === 'openid profile email', `scope ${query.get('scope')}`);
      const back = query.get('redirect_uri') ?? '';
      demand(/^http:\/\/[^/]+\/oauth\/oidc$/.test(back), `redirect_uri ${back}`);
      return { body: authorizePage('Single sign-on', back, query, codes.grant(query)) };
    },
    'POST /token/': ({ headers, body }) => {
      const contentType = settings.tokenForm === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
      if (!headers['content-type']?.startsWith(contentType)) return { status: 415, body: { error: 'invalid_request' } };
      const { client_id: id, client_secret: secret, ...rest } = readForm(body, settings.tokenForm);
      if (id !== clientId || secret !== clientSecret) return { status: 401, body: { error: 'invalid_client' } };
      demand(rest['grant_type'] === 'authorization_code', 'grant_type');
      const token = codes.redeem({
        code: textIn(rest['code']),
        verifier: textIn(rest['code_verifier']),
        redirectUri: textIn(rest['redirect_uri']),
      });
      if (token === undefined) return { status: 400, body: { error: 'invalid_grant' } };
      return { body: { access_token: token, token_type: 'Bearer', expires_in: 300, id_token: 'a.b.c' } };
    },
    'GET /userinfo/': (request) => ({ body: codes.personOf(request) }),
  });
  const { url } = counterpart;
  const endpoints = {
    authorizationEndpoint: `${url}/authorize/`,
    tokenEndpoint: `${url}/token/`,
    userinfoEndpoint: `${url}/userinfo/`,
  };
  return Object.assign(settings, counterpart, { clientId, clientSecret, codes, ...endpoints });
};
