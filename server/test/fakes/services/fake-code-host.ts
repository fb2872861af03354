import { type AuthorizationCodes, authorizePage, createAuthorizationCodes } from './authorization-codes.ts';
import { type Counterpart, demand, startCounterpart } from './counterpart.ts';
import { parseObject, textIn } from '../../parsing/json.ts';

export interface CodeHostPerson {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** A strict GitHub Enterprise Server: authorize page, token endpoint, `/api/v3/user`. */
export interface CodeHost extends Counterpart {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly codes: AuthorizationCodes<CodeHostPerson>;
  /** Where the authorize page sends people back to: the callback of the registered app. */
  callback: string;
  /** Answers the token request with this instead, while it is set. */
  failure: { readonly status: number; readonly body: unknown } | undefined;
}

const clientId = 'Iv1.0123456789abcdef';
const clientSecret = 'code-host-secret-canary';

const refusal = (error: string) => ({
  status: 200,
  body: { error, error_description: 'See error.', error_uri: 'https://docs.example/errors' },
});

export const startCodeHost = async (): Promise<CodeHost> => {
  const codes = createAuthorizationCodes<CodeHostPerson>({ id: 1, login: 'octo', name: 'Octo', email: null });
  const settings: Pick<CodeHost, 'callback' | 'failure'> = { callback: 'http://nowhere.invalid/', failure: undefined };
  const counterpart = await startCounterpart({
    'GET /login/oauth/authorize': ({ query }) => {
      demand(query.get('client_id') === clientId, 'client_id');
      demand(query.get('scope') === 'user:email', `scope ${query.get('scope')}`);
      return { body: authorizePage('Code host', settings.callback, query, codes.grant(query)) };
    },
    'POST /login/oauth/access_token': ({ headers, body }) => {
      demand(headers.accept === 'application/json', `accept ${headers.accept}`);
      demand(/^application\/json\b/.test(headers['content-type'] ?? ''), 'content-type');
      const { client_id: id, client_secret: secret, code, code_verifier: verifier, ...rest } = parseObject(body);
      demand(Object.keys(rest).length === 0, `unknown members ${Object.keys(rest).join()}`);
      if (settings.failure !== undefined) return settings.failure;
      if (id !== clientId || secret !== clientSecret) return refusal('incorrect_client_credentials');
      const token = codes.redeem({ code: textIn(code), verifier: textIn(verifier) });
      if (token === undefined) return refusal('bad_verification_code');
      return { body: { access_token: token, scope: 'user:email', token_type: 'bearer' } };
    },
    'GET /api/v3/user': (request) => {
      demand(request.headers['user-agent'] !== undefined, 'no user agent', { status: 403, body: 'Forbidden' });
      demand(/json/.test(request.headers.accept ?? ''), 'accept');
      return { body: { ...codes.personOf(request), type: 'User', site_admin: false, company: null } };
    },
  });
  return Object.assign(settings, counterpart, { clientId, clientSecret, codes });
};
