import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { options as entries, type OptionEntry } from '@weir/contract/options';
import { role } from '@weir/contract/roles';
import { buildTestApp, type TestApp, type TestUser } from '../../test/app/app.ts';

let app: TestApp;
let root: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  root = await app.root();
});
afterAll(() => app.close());

const path = '/api/option/';
const set = (key: string, value: string) => root.data('PUT', path, { key, value });
const refused = (key: string, value: string) => root.refused('PUT', path, { key, value });
const list = async (): Promise<Map<string, string>> => {
  const rows = await root.data('GET', path);
  return new Map((Array.isArray(rows) ? rows : []).map(({ key, value }) => [String(key), String(value)]));
};
const value = async (key: string) => (await list()).get(key);

/** The value of each option before the test that changed it. */
let defaults: ReadonlyMap<string, string>;
beforeAll(async () => {
  defaults = await list();
});
afterEach(async () => {
  const now = await list();
  for (const [key, text] of defaults) if (now.get(key) !== text) await set(key, text);
});

test('API-05 lists every option but the secret ones, as text, with valid JSON where it is JSON', async () => {
  const known = Object.entries<OptionEntry>(entries).filter(([, entry]) => entry.secret !== true);
  expect([...defaults.keys()].toSorted()).toEqual(known.map(([key]) => key).toSorted());
  for (const key of ['ModelRatio', 'CompletionRatio', 'GroupRatio']) JSON.parse(defaults.get(key) ?? '');
  expect(defaults.get('EmailDomainWhitelist')).toContain('gmail.com');
  expect(defaults.get('PasswordLoginEnabled')).toBe('true');
});

test('SET-04 a secret never comes back, and an empty one leaves the stored one', async () => {
  expect((await root.call('GET', path)).json['secrets_set']).toEqual([]);
  await set('SMTPToken', 'canary-mail-password');
  await set('SMTPToken', '');
  const reply = await root.call('GET', path);
  expect(reply.json['secrets_set']).toEqual(['SMTPToken']);
  expect(reply.text).not.toContain('canary');
  expect(reply.text).not.toContain('TurnstileSecretKey');
  const stored = await app.db.read
    .selectFrom('options')
    .selectAll()
    .where('key', '=', 'SMTPToken')
    .executeTakeFirstOrThrow();
  expect(app.secrets.open(stored.value, 'options/value/SMTPToken')).toBe('canary-mail-password');
});

test('a private peer that forwards for others is named to administrators, unless the settings name it', async () => {
  const proxyOf = async (caller: TestUser, headers = {}) =>
    (await caller.call('GET', path, { headers })).json['undeclared_proxy'];
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  expect(await proxyOf(root)).toBe('');
  expect(await proxyOf(root, forwarded)).toBe('127.0.0.1');
  const declared = await buildTestApp({ trustedProxies: ['127.0.0.1'] });
  expect(await proxyOf(await declared.root(), forwarded)).toBe('');
  await declared.close();
});

const addresses = ['ServerAddress', 'TopUpLink', 'ChatLink', 'MessagePusherAddress', 'WeChatServerAddress'];
test.each(addresses)('SET-05 C74 %s loses the slashes at its end, and has no blank', async (key) => {
  await set(key, ' https://weir.example/path// ');
  expect(await value(key)).toBe('https://weir.example/path');
  for (const text of ['weir.example', 'https://weir.example/a path'])
    expect(await refused(key, text)).toBe(`Invalid option: ${key} must be an http or https address`);
  expect(await value(key)).toBe('https://weir.example/path');
});

test('the endpoints of an OpenID Connect provider are kept to the letter, slashes at their end included', async () => {
  const endpoint = 'https://sso.example/application/o/token/';
  await set('OidcTokenEndpoint', ` ${endpoint} `);
  expect(await value('OidcTokenEndpoint')).toBe(endpoint);
  expect(await refused('OidcTokenEndpoint', 'sso.example')).toContain('must be an http or https address');
  await set('OidcTokenEndpoint', '');
});

const ratios = [
  ['ModelRatio', 'Model ratio is not a valid JSON string'],
  ['CompletionRatio', 'Completion ratio is not a valid JSON string'],
  ['GroupRatio', 'Group ratio is not a valid JSON string'],
] as const;
test.each(ratios)('SET-11 a broken %s is refused and changes nothing', async (key, message) => {
  for (const text of ['', '{', '[]', 'null', '{"a":"1"}', '{"a":{}}', '{"a":null}', '{"a":1e999}']) {
    expect(await refused(key, text), text).toBe(message);
  }
  expect(await value(key)).toBe(defaults.get(key));
});

test('M14 a ratio below zero is refused by its name, and changes nothing', async () => {
  for (const key of ['ModelRatio', 'CompletionRatio', 'GroupRatio'] as const) {
    for (const text of ['{"a":1,"b":-1}', '{"b":-0.001}', '{"b":-1e-9}']) {
      expect(await refused(key, text), text).toContain(`${key} b must be at least 0`);
    }
    expect(await value(key)).toBe(defaults.get(key));
  }
  await set('ModelRatio', '{"free":0,"also free":-0}');
  await set('ModelRatio', defaults.get('ModelRatio') ?? '');
});

test('SET-12 C74 RetryTimes is a whole number from 0, SMTPPort a port, QuotaPerUnit a number above 0', async () => {
  for (const text of ['-1', '1.5', 'x', ''])
    expect(await refused('RetryTimes', text), text).toContain('RetryTimes must be');
  expect(await refused('SMTPPort', '70000')).toBe('Invalid option: SMTPPort must be at most 65535');
  for (const text of ['0', '-2', 'NaN', 'Infinity'])
    expect(await refused('QuotaPerUnit', text), text).toContain('QuotaPerUnit');
  await set('RetryTimes', '3');
  await set('QuotaPerUnit', '0.01');
  expect([await value('RetryTimes'), await value('QuotaPerUnit')]).toEqual(['3', '0.01']);
});

const switches = [
  ['GitHubOAuthEnabled', 'Cannot enable GitHub OAuth', ['GitHubClientId', 'GitHubClientSecret']],
  [
    'OidcEnabled',
    'Cannot enable OIDC',
    ['OidcClientId', 'OidcClientSecret', 'OidcAuthorizationEndpoint', 'OidcTokenEndpoint', 'OidcUserinfoEndpoint'],
  ],
  ['WeChatAuthEnabled', 'Cannot enable chat-app login', ['WeChatServerAddress']],
  ['TurnstileCheckEnabled', 'Cannot enable Turnstile check', ['TurnstileSiteKey', 'TurnstileSecretKey']],
] as const;
test.each(switches)('SET-13 %s is turned on only with its credentials', async (key, message, needed) => {
  expect(await refused(key, 'true')).toContain(message);
  expect(await value(key)).toBe('false');
  for (const name of needed) await set(name, 'https://filled.example');
  await set(key, 'true');
  expect(await value(key)).toBe('true');
});

test('SET-13 EmailDomainRestrictionEnabled is turned on only with a domain', async () => {
  await set('EmailDomainWhitelist', ' , ');
  expect(await refused('EmailDomainRestrictionEnabled', 'true')).toContain('Cannot enable e-mail domain restriction');
  await set('EmailDomainWhitelist', 'example.com, example.com ,example.org');
  expect(await value('EmailDomainWhitelist')).toBe('example.com,example.org');
  await set('EmailDomainRestrictionEnabled', 'true');
});

test('switches take the words true and false alone, Theme the themes alone', async () => {
  for (const text of ['1', 'TRUE', 'yes', ''])
    expect(await refused('LogConsumeEnabled', text)).toContain('must be true or false');
  expect(await refused('Theme', 'neon')).toBe('Invalid theme');
  for (const theme of ['light', 'dark', 'berry', 'air', 'default']) await set('Theme', theme);
});

test('a Chinese caller gets no English word but the name of the member', async () => {
  const chinese = { 'accept-language': 'zh-CN' };
  const message = async (body: unknown) => {
    const reply = await root.call('PUT', path, { body, headers: chinese });
    return String(reply.json['message']);
  };
  const english = /[a-z]/i;
  expect((await message({ key: 'RetryTimes', value: '-1' })).replace('RetryTimes', '')).not.toMatch(english);
  expect((await message({ key: 'RetryTimes', value: 'x' })).replace('RetryTimes', '')).not.toMatch(english);
  expect((await message({ key: 'ServerAddress', value: 'x' })).replace(/ServerAddress|https?/g, '')).not.toMatch(
    english,
  );
  expect((await message({ key: 'RetryTimes', value: 5 })).replace('value', '')).not.toMatch(english);
  expect((await message({})).replace(/key|value/g, '')).not.toMatch(english);
  expect((await message('nonsense')).replace('body', '')).not.toMatch(english);
});

test('API-04 a body that cannot be read is a bad request here: no JSON, or a value that is no text', async () => {
  for (const body of [
    '{',
    '[]',
    'null',
    '"x"',
    { key: 'RetryTimes', value: 5 },
    { key: 'RetryTimes', value: true },
    {},
  ]) {
    const reply = await root.call('PUT', path, { body });
    expect(reply.status, JSON.stringify(body)).toBe(400);
    expect(reply.json['success']).toBe(false);
    expect(reply.json['message']).not.toBe('');
  }
  expect(await value('RetryTimes')).toBe('2');
});

test('an unknown option is refused, prototype names included', async () => {
  for (const key of ['NoSuchOption', 'constructor', '__proto__', 'toString', '']) {
    expect(await refused(key, '1'), key).toBe(`Unknown option ${key}`);
  }
});

test('only root writes, administrators read, users and unauthenticated callers do neither', async () => {
  const admin = await app.addUser('admin', role.admin);
  const user = await app.addUser('user');
  await admin.data('GET', path);
  const body = { key: 'RetryTimes', value: '9' };
  expect(await admin.refused('PUT', path, body)).toContain('insufficient permission');
  expect(await user.refused('GET', path)).toContain('insufficient permission');
  expect(await user.refused('PUT', path, body)).toContain('insufficient permission');
  expect((await app.visitor().call('GET', path)).status).toBe(401);
  expect((await app.visitor().call('PUT', path, { body: '{' })).status).toBe(401);
  expect(await value('RetryTimes')).toBe('2');
});

test('each change is in the audit log by its key, in one transaction with it, and never its value', async () => {
  await set('SMTPToken', 'canary-audit');
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'update_option')
    .orderBy('id')
    .execute();
  expect(rows.at(-1)).toMatchObject({ subject: 'SMTPToken', detail: '', actor_name: 'root' });
  expect(JSON.stringify(rows) + app.logged()).not.toContain('canary');
});

test('CHAN-13 OPT-GroupRatio its keys are the groups', async () => {
  expect(await root.data('GET', '/api/group/')).toEqual(['default', 'svip', 'vip']);
  await set('GroupRatio', '{"default":1,"team":0.5}');
  expect(await root.data('GET', '/api/group')).toEqual(['default', 'team']);
});
