import { type AuthorizationCodes, authorizePage, createAuthorizationCodes } from './authorization-codes.ts';
import { type Counterpart, demand, startCounterpart } from './counterpart.ts';
import { parseObject } from '../../parsing/json.ts';

export interface LarkPerson {
  readonly open_id: string;
  readonly name: string;
}

/** Lark's open platform, strictly: authorize page, `authen/v2/oauth/token`, `authen/v1/user_info`. */
export interface Lark extends Counterpart {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly codes: AuthorizationCodes<LarkPerson>;
}

const clientId = 'cli_0123456789abcdef';
const clientSecret = 'lark-secret-canary';

export const startLark = async (): Promise<Lark> => {
  const codes = createAuthorizationCodes<LarkPerson>({ open_id: 'ou_1', name: 'Lark Lee' });
  const counterpart = await startCounterpart({
    'GET /open-apis/authen/v1/index': ({ query }) => {
      demand(query.get('app_id') === clientId, 'app_id');
      demand(query.get('code_challenge') === null, 'this page knows no challenge');
      const back = query.get('redirect_uri') ?? '';
      demand(/^http:\/\/[^/]+\/oauth\/lark$/.test(back), `redirect_uri ${back}`);
      return { body: authorizePage('Lark', back, query, codes.grant(query)) };
    },
    'POST /open-apis/authen/v2/oauth/token': ({ headers, body }) => {
      demand(headers['content-type'] === 'application/json; charset=utf-8', 'content-type');
      const request = parseObject(body);
      demand(request['grant_type'] === 'authorization_code', 'grant_type');
      if (request['client_id'] !== clientId || request['client_secret'] !== clientSecret) {
        return { status: 400, body: { code: 20002, error: 'invalid_client', error_description: 'wrong secret' } };
      }
      const redirectUri = String(request['redirect_uri']);
      const token = codes.redeem({ code: String(request['code']), verifier: undefined, redirectUri });
      if (token === undefined) {
        return { status: 400, body: { code: 20003, error: 'invalid_grant', error_description: 'no such code' } };
      }
      return { body: { code: 0, access_token: token, expires_in: 7200, token_type: 'Bearer', scope: '' } };
    },
    'GET /open-apis/authen/v1/user_info': (request) => ({
      body: { code: 0, msg: 'success', data: { ...codes.personOf(request), tenant_key: 'tenant', avatar_url: '' } },
    }),
  });
  return Object.assign(counterpart, { clientId, clientSecret, codes });
};
