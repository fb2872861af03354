import { expect, test } from 'vitest';
import { authorizeAddress, offeredProviders } from './external-providers.ts';

const departure = { origin: 'https://weir.example', state: 'one-time', challenge: undefined };

test('AUTH-06 providers that the status does not offer are not shown', () => {
  expect(offeredProviders({})).toEqual([]);
  expect(offeredProviders({ github_oauth: false, oidc: false, lark_client_id: '' })).toEqual([]);
  expect(offeredProviders({ github_oauth: true, oidc: true, lark_client_id: 'cli' })).toEqual([
    'github',
    'oidc',
    'lark',
  ]);
});

test('OAUTH-01 the code host gets the client id, state and the e-mail scope', () => {
  expect(authorizeAddress('github', { github_client_id: 'Iv1.1' }, departure)).toBe(
    'https://github.com/login/oauth/authorize?client_id=Iv1.1&state=one-time&scope=user%3Aemail',
  );
});

test('OAUTH-07 a self-hosted code host is addressed at its own URL, with the challenge if there is one', () => {
  const status = { github_url: 'https://code.example', github_client_id: 'a' };
  expect(authorizeAddress('github', status, { ...departure, state: 's', challenge: 'c' })).toBe(
    'https://code.example/login/oauth/authorize?client_id=a&state=s&scope=user%3Aemail&code_challenge=c&code_challenge_method=S256',
  );
});

test('OpenID Connect and Lark get the address to return to, and a query of the endpoint stays', () => {
  const status = {
    server_address: '',
    oidc_client_id: 'weir',
    oidc_authorization_endpoint: 'https://sso.example/authorize?tenant=one',
    lark_client_id: 'cli',
  };
  const oidc = new URL(authorizeAddress('oidc', status, departure));
  expect(Object.fromEntries(oidc.searchParams)).toEqual({
    tenant: 'one',
    client_id: 'weir',
    redirect_uri: 'https://weir.example/oauth/oidc',
    response_type: 'code',
    scope: 'openid profile email',
    state: 'one-time',
  });
  expect(authorizeAddress('lark', status, departure)).toBe(
    'https://open.feishu.cn/open-apis/authen/v1/index?redirect_uri=https%3A%2F%2Fweir.example%2Foauth%2Flark&app_id=cli&state=one-time',
  );
});
