import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type Caller, type Reply, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { type OidcProvider, startOidcProvider } from '../../../test/fakes/services/fake-oidc-provider.ts';
import { type Lark, startLark } from '../../../test/fakes/services/fake-lark.ts';
import { isJson } from '../../../test/parsing/json.ts';
import { type LoginServer, startLoginServer } from '../../../test/fakes/services/fake-login-server.ts';

let oidc: OidcProvider;
let lark: Lark;
let loginServer: LoginServer;
let app: TestApp;
let root: TestUser;
const set = (key: string, value: string) => root.data('PUT', '/api/option/', { key, value });

beforeAll(async () => {
  [oidc, lark, loginServer] = await Promise.all([startOidcProvider(), startLark(), startLoginServer()]);
  app = await buildTestApp({ larkUrl: lark.url, frozen: true, trustedProxies: ['127.0.0.1'] });
  root = await app.root();
  await set('OidcClientId', oidc.clientId);
  await set('OidcClientSecret', oidc.clientSecret);
  await set('OidcAuthorizationEndpoint', oidc.authorizationEndpoint);
  await set('OidcTokenEndpoint', oidc.tokenEndpoint);
  await set('OidcUserinfoEndpoint', oidc.userinfoEndpoint);
  await set('OidcEnabled', 'true');
  await set('LarkClientSecret', lark.clientSecret);
  await set('LarkClientId', lark.clientId);
  await set('WeChatServerAddress', loginServer.url);
  await set('WeChatServerToken', loginServer.token);
  await set('WeChatAuthEnabled', 'true');
});
afterAll(async () => {
  await app.close();
  await Promise.all([oidc.close(), lark.close(), loginServer.close()]);
});
afterEach(() => {
  const faults = [oidc, lark, loginServer].flatMap((provider) => provider.faults());
  if (faults.length > 0) throw new Error(`a wrong request to a sign-in provider: ${faults.join('; ')}`);
});

const self = '/api/user/self';
const usernameIn = (user: unknown): string => String(isJson(user) ? user['username'] : user);
const messageOf = ({ json }: Reply) => String(json['message']);
const stateOf = async (browser: Caller, provider: string): Promise<URLSearchParams> => {
  const { json } = await browser.call('GET', `/api/oauth/state?provider=${provider}`);
  const challenge = json['code_challenge'];
  const pkce = typeof challenge === 'string' ? { code_challenge: challenge, code_challenge_method: 'S256' } : {};
  return new URLSearchParams({ state: String(json['data']), ...pkce });
};
const codeFrom = async (url: string): Promise<string> =>
  /[?&]code=(\w+)/.exec(await (await fetch(url)).text())?.[1] ?? '';

const back = async (browser: Caller, provider: 'oidc' | 'lark', origin = app.url): Promise<string> => {
  const query = await stateOf(browser, provider);
  const state = String(query.get('state'));
  query.set('redirect_uri', `${origin}/oauth/${provider}`);
  if (provider === 'lark') {
    query.set('app_id', lark.clientId);
    const code = await codeFrom(`${lark.url}/open-apis/authen/v1/index?${query.toString()}`);
    return `/api/oauth/lark?code=${code}&state=${state}`;
  }
  query.set('client_id', oidc.clientId);
  query.set('response_type', 'code');
  query.set('scope', 'openid profile email');
  return `/api/oauth/oidc?code=${await codeFrom(`${oidc.authorizationEndpoint}?${query.toString()}`)}&state=${state}`;
};
const signIn = async (browser: Caller, provider: 'oidc' | 'lark'): Promise<Reply> =>
  browser.call('GET', await back(browser, provider));

test('OAUTH-04 a person of the OpenID Connect provider is registered under the name it proposes, then known by the subject', async () => {
  oidc.codes.person = {
    sub: 'sub-alice',
    name: 'Alice A.',
    preferred_username: 'alice',
    email: 'alice@example.com',
    email_verified: true,
  };
  const browser = app.visitor();
  expect((await signIn(browser, 'oidc')).json['data']).toMatchObject({ username: 'alice', display_name: 'Alice A.' });
  expect(await browser.data('GET', self)).toMatchObject({ oidc_id: 'sub-alice', email: 'alice@example.com' });
  oidc.codes.person = { sub: 'sub-alice', preferred_username: 'alice-new' };
  expect((await signIn(app.visitor(), 'oidc')).json['data']).toMatchObject({ username: 'alice' });
});

test('a proposed name that is taken, too long, or looks like an address makes no name here', async () => {
  for (const name of ['root', 'christopher.columbus', 'a@example.com', 'two words', '', '<b>']) {
    oidc.codes.person = { sub: `sub of ${name}`, preferred_username: name };
    const { json } = await signIn(app.visitor(), 'oidc');
    expect(usernameIn(json['data']), name).toMatch(/^oidc_\d+$/);
    expect(json['data'], name).toMatchObject({ display_name: 'OIDC User' });
  }
});

test('an address that the provider does not call verified is dropped', async () => {
  for (const verified of [{}, { email_verified: false }]) {
    oidc.codes.person = { sub: `unverified ${JSON.stringify(verified)}`, email: 'victim@example.com', ...verified };
    const browser = app.visitor();
    await signIn(browser, 'oidc');
    expect(await browser.data('GET', self)).toMatchObject({ email: '' });
  }
});

test('OPT-ServerAddress the address that codes come back to is the configured one, else the one the visitor came by', async () => {
  oidc.codes.person = { sub: 'sub-address' };
  await set('ServerAddress', 'http://weir.example');
  const browser = app.visitor();
  const reply = await browser.call('GET', await back(browser, 'oidc', 'http://weir.example'));
  await set('ServerAddress', '');
  expect(reply.json['success']).toBe(true);
});

test('a provider that takes no forms gets JSON', async () => {
  oidc.codes.person = { sub: 'sub-json' };
  oidc.tokenForm = 'json';
  const reply = await signIn(app.visitor(), 'oidc');
  oidc.tokenForm = 'form';
  expect(reply.json['success']).toBe(true);
});

test('OAUTH-05 a state made for one provider is refused at another', async () => {
  const browser = app.visitor();
  const path = await back(browser, 'oidc');
  const elsewhere = await browser.call('GET', path.replace('/oidc', '/lark'));
  expect([elsewhere.status, messageOf(elsewhere)]).toEqual([403, 'State is empty or not same']);
  expect((await browser.call('GET', path)).json['success']).toBe(true);
});

test('OPT-OidcEnabled OPT-OidcClientId OPT-OidcClientSecret while OIDC is off, and with a wrong client ID or secret, sign-in fails', async () => {
  await set('OidcEnabled', 'false');
  expect(await app.visitor().data('GET', '/api/status')).toMatchObject({ oidc: false });
  expect(messageOf(await signIn(app.visitor(), 'oidc'))).toContain('has not enabled login and registration via OIDC');
  await set('OidcEnabled', 'true');
  for (const [key, right] of [
    ['OidcClientId', oidc.clientId],
    ['OidcClientSecret', oidc.clientSecret],
  ] as const) {
    await set(key, 'wrong');
    const refusal = messageOf(await signIn(app.visitor(), 'oidc'));
    expect(refusal, key).toContain('OIDC rejected the sign-in code (invalid_client)');
    await set(key, right);
  }
  expect((await signIn(app.visitor(), 'oidc')).json['success']).toBe(true);
});

test('OPT-OidcTokenEndpoint OPT-OidcUserinfoEndpoint each is called at its URL, and an empty one is unavailable', async () => {
  const away = 'Cannot reach the OIDC server, please retry later';
  for (const [key, right] of [
    ['OidcTokenEndpoint', oidc.tokenEndpoint],
    ['OidcUserinfoEndpoint', oidc.userinfoEndpoint],
  ] as const) {
    for (const wrong of ['http://127.0.0.1:1/', '']) {
      await set(key, wrong);
      expect(messageOf(await signIn(app.visitor(), 'oidc')), `${key} ${wrong}`).toBe(away);
    }
    await set(key, right);
  }
  await set('OidcUserinfoEndpoint', `${app.url}/api/status`);
  expect(messageOf(await signIn(app.visitor(), 'oidc'))).toContain('The returned value is illegal');
  await set('OidcUserinfoEndpoint', oidc.userinfoEndpoint);
  expect((await signIn(app.visitor(), 'oidc')).json['success']).toBe(true);
});

test('OAUTH-03 OAUTH-04 Lark signs in, registers, binds, and refuses what is bound elsewhere', async () => {
  lark.codes.person = { open_id: 'ou_bob', name: 'Bob Lark' };
  const browser = app.visitor();
  expect((await signIn(browser, 'lark')).json['data']).toMatchObject({ display_name: 'Bob Lark' });
  const bob = await browser.data('GET', self);
  expect(usernameIn(bob)).toMatch(/^lark_\d+$/);
  expect(bob).toMatchObject({ lark_id: 'ou_bob' });
  const carol = await app.addUser('carol');
  expect(messageOf(await signIn(carol, 'lark'))).toBe('This Lark account is already bound');
  lark.codes.person = { open_id: 'ou_carol', name: '' };
  expect((await signIn(carol, 'lark')).json).toEqual({ success: true, message: 'bind' });
  expect(await carol.data('GET', self)).toMatchObject({ lark_id: 'ou_carol' });
});

test('OPT-LarkClientId OPT-LarkClientSecret without an app id there is no Lark, and with a wrong secret no way in', async () => {
  await set('LarkClientSecret', 'wrong');
  const refusal = messageOf(await signIn(app.visitor(), 'lark'));
  await set('LarkClientSecret', lark.clientSecret);
  expect(refusal).toContain('Lark rejected the sign-in code');
  await set('LarkClientId', '');
  const browser = app.visitor();
  const state = String((await stateOf(browser, 'lark')).get('state'));
  const reply = await browser.call('GET', `/api/oauth/lark?code=c&state=${state}`);
  await set('LarkClientId', lark.clientId);
  expect(messageOf(reply)).toContain('has not enabled login and registration via Lark');
});

const wechat = (code: string) => `/api/oauth/wechat?code=${encodeURIComponent(code)}`;

test('AUTH-10 OPT-WeChatServerAddress OPT-WeChatServerToken a code of the chat app signs in, at first as a new user', async () => {
  const browser = app.visitor();
  const user = await browser.data('GET', wechat(loginServer.codeFor('wx-dora')));
  expect(usernameIn(user)).toMatch(/^wechat_\d+$/);
  expect(user).toMatchObject({ display_name: 'WeChat User' });
  const again = app.visitor();
  await again.data('GET', wechat(loginServer.codeFor('wx-dora')));
  expect(await again.data('GET', self)).toMatchObject(Object(await browser.data('GET', self)));
  expect(await again.data('GET', self)).toMatchObject({ wechat_id: 'wx-dora' });
});

test('OAUTH-06 the chat app is bound by a code, which then shows, and not to two accounts', async () => {
  const erin = await app.addUser('erin');
  const bind = (code: string) => `/api/oauth/wechat/bind?code=${code}`;
  expect((await erin.call('GET', bind(loginServer.codeFor('wx-erin')))).json).toEqual({ success: true, message: '' });
  expect(await erin.data('GET', self)).toMatchObject({ wechat_id: 'wx-erin' });
  const frank = await app.addUser('frank');
  expect(await frank.refused('GET', bind(loginServer.codeFor('wx-erin')))).toBe(
    'This chat-app account is already bound',
  );
  expect(await frank.refused('GET', bind(''))).toBe('Invalid parameter');
  expect(await frank.refused('GET', bind('999999'))).toBe('Verification code wrong or expired');
  expect(await frank.data('GET', self)).toMatchObject({ wechat_id: '' });
});

test('a wrong, empty or used code of the chat app, a banned owner and closed registration are refused', async () => {
  const refused = (code: string) => app.visitor().refused('GET', wechat(code));
  expect(await refused('')).toBe('Invalid parameter');
  expect(await refused('nonsense&code=1')).toBe('Verification code wrong or expired');
  const code = loginServer.codeFor('wx-gina');
  const browser = app.visitor();
  await browser.data('GET', wechat(code));
  expect(await refused(code)).toBe('Verification code wrong or expired');
  const { id } = await app.db.read
    .selectFrom('users')
    .select('id')
    .where('wechat_id', '=', 'wx-gina')
    .executeTakeFirstOrThrow();
  await setUser(app.db, id, { status: 2 });
  expect(await refused(loginServer.codeFor('wx-gina'))).toBe('User has been banned');
  await set('RegisterEnabled', 'false');
  expect(await refused(loginServer.codeFor('wx-unknown'))).toContain('has closed new user registration');
  await set('RegisterEnabled', 'true');
});

test('OPT-WeChatServerToken the message of the login server about a wrong token is passed on, the token is not', async () => {
  await set('WeChatServerToken', 'wrong-token-canary');
  const reply = await app.visitor().call('GET', wechat('1'));
  await set('WeChatServerToken', loginServer.token);
  expect(reply.json).toEqual({ success: false, message: 'Wrong token' });
  expect(reply.text + app.logged()).not.toContain('canary');
});

test('OPT-WeChatServerAddress a login server that is down or is something else is reported as unavailable', async () => {
  const refused = () => app.visitor().refused('GET', wechat('1'));
  for (const address of ['http://127.0.0.1:1', `${app.url}/nothing`, app.url]) {
    await set('WeChatServerAddress', address);
    expect(await refused(), address).toBe('Cannot reach the chat-app login server, please retry later');
  }
  await set('WeChatServerAddress', loginServer.url);
});

test('OPT-WeChatAuthEnabled OPT-WeChatAccountQRCodeImageURL the status shows the chat app, and off means off', async () => {
  await set('WeChatAccountQRCodeImageURL', `${loginServer.url}/qr.svg`);
  const status = () => app.visitor().data('GET', '/api/status');
  expect(await status()).toMatchObject({ wechat_login: true, wechat_qrcode: `${loginServer.url}/qr.svg` });
  const page = await app.visitor().call('GET', '/login');
  expect(page.headers.get('content-security-policy')).toContain(`img-src 'self' data: https: ${loginServer.url};`);
  await set('WeChatAuthEnabled', 'false');
  expect(await status()).toMatchObject({ wechat_login: false });
  const closed = 'The administrator has not enabled login and registration via the chat app';
  expect(await app.visitor().refused('GET', wechat(loginServer.codeFor('wx-dora')))).toBe(closed);
  const hans = await app.addUser('hans');
  expect(await hans.refused('GET', '/api/oauth/wechat/bind?code=1')).toBe(closed);
  await set('WeChatAuthEnabled', 'true');
});

test('E.10 codes of the chat app cannot be guessed at: after 30 wrong ones a network waits, and others do not', async () => {
  const from = (address: string) => app.visitor({ 'x-forwarded-for': address });
  for (let tried = 0; tried < 30; tried += 1) await from('203.0.113.7').refused('GET', wechat('000000'));
  expect((await from('203.0.113.99').call('GET', wechat(loginServer.codeFor('wx-ida')))).status).toBe(429);
  await from('198.51.100.1').data('GET', wechat(loginServer.codeFor('wx-ida')));
  app.clock.advance(600_000);
  await from('203.0.113.7').data('GET', wechat(loginServer.codeFor('wx-ida')));
});

test('E.10 states cannot be made without end', async () => {
  const statuses = new Set<number>();
  const flood = app.visitor({ 'x-forwarded-for': '192.0.2.1' });
  for (let made = 0; made < 201; made += 1) statuses.add((await flood.call('GET', '/api/oauth/state')).status);
  expect([...statuses]).toEqual([200, 429]);
});
