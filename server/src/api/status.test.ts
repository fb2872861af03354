import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelTypeModels } from '@weir/contract/catalogue/model-catalogue';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { listChannelTypeModels } from '@weir/contract/models';
import { role } from '@weir/contract/roles';
import { statusSchema } from '@weir/contract/status';
import * as v from 'valibot';
import { buildTestApp, type TestApp, type TestUser } from '../../test/app/app.ts';

let app: TestApp;
let root: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  root = await app.root();
});
afterAll(() => app.close());

const parseModels = (data: unknown) => v.parse(listChannelTypeModels.data, data);
const set = (key: string, value: string) => root.data('PUT', '/api/option/', { key, value });
const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');
const status = () => app.visitor().data('GET', '/api/status');

test('API-06 SHELL-16 W9 the status has its members with their types, for every caller', async () => {
  const { start_time: startTime, ...rest } = v.parse(statusSchema, await status());
  expect(startTime).toBeGreaterThan(1_700_000_000);
  expect(rest).toEqual({
    version: 'v0.0.0',
    build: 'v0.0.0-test',
    update_check: false,
    system_name: 'Weir',
    logo: '',
    footer_html: '',
    theme: 'default',
    server_address: app.url,
    quota_per_unit: 500_000,
    display_in_currency: true,
    quota_remind_threshold: 1000,
    chat_link: '',
    top_up_link: '',
    register_enabled: true,
    password_register_enabled: true,
    password_login_enabled: true,
    email_verification: false,
    turnstile_check: false,
    turnstile_site_key: '',
    turnstile_url: 'https://challenges.cloudflare.com',
    github_oauth: false,
    github_client_id: '',
    github_url: 'https://github.com',
    wechat_login: false,
    wechat_qrcode: '',
    lark_client_id: '',
    lark_url: 'https://open.feishu.cn',
    oidc: false,
    oidc_client_id: '',
    oidc_well_known: '',
    oidc_authorization_endpoint: '',
    oidc_token_endpoint: '',
    oidc_userinfo_endpoint: '',
  });
});

test('API-06 the sixteen members of the specification are there', async () => {
  const found = Object.keys(v.parse(statusSchema, await status()));
  const listed =
    'system_name logo footer_html quota_per_unit display_in_currency chat_link server_address top_up_link ' +
    'turnstile_check turnstile_site_key version email_verification github_oauth github_client_id wechat_login wechat_qrcode';
  expect(found).toEqual(expect.arrayContaining(listed.split(' ')));
  expect(listed.split(' ')).toHaveLength(16);
});

const looks = [
  ['SystemName', 'system_name', 'Dam', 'Dam'],
  ['Logo', 'logo', '/dam.png', '/dam.png'],
  ['Footer', 'footer_html', '<b>dam</b>', '<b>dam</b>'],
  ['Theme', 'theme', 'dark', 'dark'],
] as const;
test.each(looks)(
  'SET-14 OPT-SystemName OPT-Logo OPT-Footer OPT-Theme: %s shows at once',
  async (key, member, text, shown) => {
    await set(key, text);
    expect(await status()).toMatchObject({ [member]: shown });
  },
);

const money = [
  ['QuotaPerUnit', 'quota_per_unit', '1000.5', 1000.5],
  ['DisplayInCurrencyEnabled', 'display_in_currency', 'false', false],
  ['TopUpLink', 'top_up_link', 'https://shop.example', 'https://shop.example'],
] as const;
test.each(money)(
  'OPT-QuotaPerUnit OPT-DisplayInCurrencyEnabled OPT-TopUpLink: %s shows at once',
  async (key, member, text, shown) => {
    await set(key, text);
    expect(await status()).toMatchObject({ [member]: shown });
  },
);

const settings = [
  ['ServerAddress', 'server_address', 'https://dam.example/', 'https://dam.example'],
  ['ChatLink', 'chat_link', 'https://chat.example', 'https://chat.example'],
  ['TurnstileSiteKey', 'turnstile_site_key', 'site', 'site'],
  ['WeChatAccountQRCodeImageURL', 'wechat_qrcode', 'https://qr.example/a.png', 'https://qr.example/a.png'],
  ['GitHubClientId', 'github_client_id', 'client', 'client'],
  ['LarkClientId', 'lark_client_id', 'cli_1', 'cli_1'],
  ['OidcClientId', 'oidc_client_id', 'client', 'client'],
  ['OidcWellKnown', 'oidc_well_known', 'https://sso.example/w', 'https://sso.example/w'],
  ['OidcAuthorizationEndpoint', 'oidc_authorization_endpoint', 'https://sso.example/a/', 'https://sso.example/a/'],
  ['OidcTokenEndpoint', 'oidc_token_endpoint', 'https://sso.example/t', 'https://sso.example/t'],
  ['OidcUserinfoEndpoint', 'oidc_userinfo_endpoint', 'https://sso.example/u', 'https://sso.example/u'],
  ['RegisterEnabled', 'register_enabled', 'false', false],
  ['PasswordRegisterEnabled', 'password_register_enabled', 'false', false],
  ['EmailVerificationEnabled', 'email_verification', 'true', true],
] as const;
test.each(settings)('OPT-%s shows at once', async (key, member, text, shown) => {
  await set(key, text);
  expect(await status()).toMatchObject({ [member]: shown });
});

const contents = [
  ['Notice', '/api/notice'],
  ['About', '/api/about'],
  ['HomePageContent', '/api/home_page_content'],
] as const;
test.each(contents)(
  'SET-14 OPT-Notice OPT-About OPT-HomePageContent: %s shows at once, and is empty before',
  async (key, path) => {
    expect(await app.visitor().data('GET', path)).toBe('');
    await set(key, '# Dam\n水');
    expect(await app.visitor().data('GET', path)).toBe('# Dam\n水');
  },
);

test('the model names of each channel type, for users; the whole catalogue, for administrators', async () => {
  const user = await app.addUser('user');
  const admin = await app.addUser('admin', role.admin);
  const byType = parseModels(await user.data('GET', '/api/models'));
  for (const { id } of vendorList) expect(Array.isArray(byType[String(id)]), String(id)).toBe(true);
  const reply = await admin.call('GET', '/api/channel/models');
  expect(Object.keys(reply.json)).toEqual(['object', 'data']);
  expect(reply.json['object']).toBe('list');
  const cards: readonly { readonly id: unknown }[] = Array.isArray(reply.json['data']) ? reply.json['data'] : [];
  const ids = cards.map(({ id }) => String(id));
  expect(new Set(ids).size).toBe(ids.length);
  // The reference's 471 models, byte for byte; models that vendors have since follow them.
  expect(digest(cards.slice(0, 471))).toBe('e528f6905fd764daba491cafad0b2415cbf83e191ecb5e08ea2bfe3dd99dbdaf');
  // Each type offers what its vendor has today; of vendors without a list, what the reference does.
  expect(byType['1']?.[0]).toBe('gpt-6.1-sol');
  expect(byType['1']).toContain('gpt-5.5');
  expect(byType['1']).not.toContain('gpt-4-0314');
  expect(byType['14']).toContain('claude-opus-5-5');
  expect(byType['50']).toEqual(byType['1']);
  expect(byType['20']).toEqual(channelTypeModels['20']);
  expect(ids).toEqual(expect.arrayContaining(['gpt-5.5', 'claude-opus-5-5', 'gemini-2.5-pro']));
  expect((await app.visitor().call('GET', '/api/models')).status).toBe(401);
  expect(await user.refused('GET', '/api/channel/models')).toContain('insufficient permission');
  expect(await user.refused('GET', '/api/group/')).toContain('insufficient permission');
});
