import type { Page } from '@playwright/test';
import { chat, prepareRelay, signIn, toast } from '../support/actions.ts';
import { expect, test, type Gateway } from '../support/gateway.ts';

interface Save {
  readonly key: string;
  readonly value: string;
}

const optionsOf = async (gateway: Gateway): Promise<Readonly<Record<string, string>>> => {
  const root = await gateway.signIn();
  const rows = await root.call<{ key: string; value: string }[]>('GET', '/api/option/');
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
};

const readSave = (sent: unknown): Save =>
  typeof sent === 'object' && sent !== null && 'key' in sent && 'value' in sent
    ? { key: String(sent.key), value: String(sent.value) }
    : { key: '', value: JSON.stringify(sent) };

/** The options that the page sends after this call, in order. */
const watchSaves = (page: Page): readonly Save[] => {
  const saves: Save[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/api/option/'))
      saves.push(readSave(request.postDataJSON()));
  });
  return saves;
};

const save = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const done = (page: Page) => expect(toast(page, 'operation completed successfully').first()).toBeVisible();

test('SET-01 every user has the personal tab; the others are visible to administrators and changed by root alone', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  for (const username of ['plain', 'helper']) {
    await root.call('POST', '/api/user/', { username, password: 'a long enough password' });
  }
  await root.call('POST', '/api/user/manage', { username: 'helper', action: 'promote' });
  await root.call('PUT', '/api/option/', { key: 'SMTPToken', value: 'canary-secret' });

  const tabs = page.getByRole('navigation', { name: 'Settings' });

  const enter = (username: string): Promise<void> =>
    signIn(page, gateway, '/setting?tab=system', { username, password: 'a long enough password' });
  let requests = 0;
  page.on('request', (request) => (requests += request.url().includes('/api/option') ? 1 : 0));
  await enter('plain');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(tabs).toHaveCount(0);
  await expect(page.getByRole('switch', { name: 'Allow password sign-in' })).toHaveCount(0);
  expect(requests).toBe(0);

  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' });
  await enter('helper');
  await expect(page.getByText('Requests come through 127.0.0.1, which is not in TRUSTED_PROXIES')).toBeVisible();
  await expect(tabs.getByRole('link')).toHaveText([
    'Personal settings',
    'Operation settings',
    'System settings',
    'Other settings',
  ]);
  await expect(page.getByText('Only the super administrator can change these settings')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Allow password sign-in' })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'SMTP server address' })).not.toBeEditable();
  await expect(page.getByRole('button', { name: /^(?:Save|Update|Replace)/ })).toHaveCount(0);
  expect(await page.content()).not.toContain('canary');
});

test('SET-02 SET-03 SET-13 ERR-04 a switch saves at once and can be undone, and a refused one snaps back', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/setting?tab=operation');
  const currency = page.getByRole('switch', { name: 'Display quota in currency' });
  await currency.click({ force: true });
  await expect(currency).not.toBeChecked();
  await done(page);
  expect((await optionsOf(gateway))['DisplayInCurrencyEnabled']).toBe('false');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(currency).toBeChecked();
  await expect.poll(async () => (await optionsOf(gateway))['DisplayInCurrencyEnabled']).toBe('true');

  await page.getByRole('link', { name: 'System settings' }).click();
  const password = page.getByRole('switch', { name: 'Allow password sign-in' });
  await password.click({ force: true });
  const question = page.getByRole('alertdialog', { name: 'Turn off password sign-in?' });
  await expect(question).toContainText('can no longer sign in');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(password).toBeChecked();
  expect((await optionsOf(gateway))['PasswordLoginEnabled']).toBe('true');
  await password.click({ force: true });
  await question.getByRole('button', { name: 'Turn off' }).click();
  await expect(password).not.toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(password).toBeChecked();

  const github = page.getByRole('switch', { name: 'Allow sign-in and registration with GitHub' });
  await github.click({ force: true });
  await expect(toast(page, /Cannot enable GitHub OAuth/)).toBeVisible();
  await expect(github).not.toBeChecked();
});

test('SET-04 SET-05 SET-06 SET-12 only what changed is saved, secrets only when typed, addresses without their slash', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/setting?tab=system');
  const saves = watchSaves(page);
  const address = page.getByRole('textbox', { name: 'Server address', exact: true });
  await expect(page.getByRole('button', { name: 'Update server address' })).toBeDisabled();
  await address.fill('gateway');
  await save(page, 'Update server address');
  await expect(page.getByText('Enter an address that begins with http:// or https://').first()).toBeVisible();
  await address.fill('https://gateway.example/');
  await address.blur();
  await expect(address).toHaveValue('https://gateway.example');
  await save(page, 'Update server address');
  await done(page);

  const mail = page.getByRole('region', { name: 'SMTP' });
  await expect(mail.getByLabel('SMTP port')).toHaveValue('587');
  await expect(mail.getByText('Default 587. Port 465 uses TLS from the start')).toBeVisible();
  await mail.getByLabel('SMTP server address').fill('mail.example');
  await mail.getByLabel('SMTP token').fill('mail secret');
  await expect(page.getByRole('status').filter({ hasText: 'Unsaved changes: 2' })).toBeVisible();
  await save(page, 'Save SMTP settings');
  await expect(mail.getByText('Set', { exact: true })).toBeVisible();
  await page.reload();
  await expect(mail.getByText('Set', { exact: true })).toBeVisible();
  await mail.getByLabel('SMTP account').fill('mail@example.com');
  await save(page, 'Save SMTP settings');
  await done(page);
  expect(saves).toEqual([
    { key: 'ServerAddress', value: 'https://gateway.example' },
    { key: 'SMTPServer', value: 'mail.example' },
    { key: 'SMTPToken', value: 'mail secret' },
    { key: 'SMTPAccount', value: 'mail@example.com' },
  ]);
  await mail.getByRole('button', { name: /Replace/ }).click();
  await mail.getByLabel('SMTP token').fill('another');
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(saves).toHaveLength(4);

  const domain = page.getByRole('textbox', { name: 'Add domain' });
  await expect(page.getByRole('region', { name: 'whitelist' }).getByRole('button', { name: 'Add' })).toBeDisabled();
  await domain.fill('GMAIL.com');
  await page.keyboard.press('Enter');
  await expect(page.getByText('gmail.com is already in the list')).toBeVisible();
  await domain.fill('@example.org, example.net');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove gmail.com' }).click();
  await save(page, 'Save e-mail domain whitelist');
  await done(page);
  const whitelist = (await optionsOf(gateway))['EmailDomainWhitelist']?.split(',') ?? [];
  expect(whitelist.slice(-2)).toEqual(['example.org', 'example.net']);
  expect(whitelist).not.toContain('gmail.com');

  const provider = 'https://id.example';
  const oidc = page.getByRole('region', { name: 'OpenID Connect' });
  await oidc.getByLabel('Client ID').fill('weir');
  await oidc.getByLabel('Client secret').fill('oidc secret');
  await oidc.getByLabel('Discovery document').fill(`${provider}/.well-known/openid-configuration`);
  // Stored exactly: a slash at the end of an endpoint is part of it.
  await oidc.getByLabel('Authorization endpoint').fill(`${provider}/authorize/`);
  await oidc.getByLabel('Token endpoint').fill(`${provider}/token`);
  await oidc.getByLabel('Userinfo endpoint').fill(`${provider}/userinfo`);
  await save(page, 'Save OpenID Connect settings');
  await expect(oidc.getByText('Set', { exact: true })).toBeVisible();
  const lark = page.getByRole('region', { name: 'Lark' });
  await lark.getByLabel('Lark app ID').fill('cli_1');
  await lark.getByLabel('Lark app secret').fill('lark secret');
  await save(page, 'Save Lark settings');
  await expect(lark.getByText('Set', { exact: true })).toBeVisible();
  const kept = await optionsOf(gateway);
  expect(kept).toMatchObject({
    OidcClientId: 'weir',
    OidcWellKnown: `${provider}/.well-known/openid-configuration`,
    OidcAuthorizationEndpoint: `${provider}/authorize/`,
    OidcTokenEndpoint: `${provider}/token`,
    OidcUserinfoEndpoint: `${provider}/userinfo`,
    LarkClientId: 'cli_1',
  });
  expect(JSON.stringify(kept)).not.toMatch(/(?:oidc|lark) secret/);

  for (const name of [
    'GitHub client ID',
    'GitHub client secret',
    'WeChat server address',
    'WeChat server token',
    'QR code image of the account',
    'Message pusher address',
    'Message pusher token',
    'Turnstile site key',
    'Turnstile secret key',
    'SMTP sender',
  ])
    await expect(page.getByLabel(name, { exact: true })).toBeEditable();

  await page.getByRole('link', { name: 'Operation settings' }).click();
  const retries = page.getByRole('spinbutton', { name: 'Retry times' });
  await expect(retries).toHaveAttribute('step', '1');
  await expect(retries).toHaveAttribute('min', '0');
  await expect(page.getByRole('spinbutton', { name: 'Quota per unit' })).toHaveAttribute('step', '0.01');
  await retries.fill('-1');
  await save(page, 'Save general settings');
  await expect(page.getByText('Enter a whole number of 0 or more').first()).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Quota per unit' }).fill('0');
  await save(page, 'Save general settings');
  await expect(page.getByText('Enter a number of 0.01 or more').first()).toBeVisible();
  expect(saves.filter(({ key }) => key === 'RetryTimes' || key === 'QuotaPerUnit')).toEqual([]);
});

test('SET-10 C28 each group of the operation tab saves its fields, quota in dollars or units', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/setting?tab=operation');
  const groups = [
    [
      'Save general settings',
      {
        'Top-up link': 'https://shop.example',
        'Chat page link': 'https://chat.example',
        'Quota per unit': '1000.5',
        'Retry times': '3',
      },
    ],
    ['Save monitoring settings', { 'Maximum response time': '2.5', 'Quota reminder threshold': '1234' }],
    [
      'Save quota settings',
      {
        'Initial quota for a new user': '5000',
        'Maximum new accounts per hour': '60',
        'Pre-consumed quota per request': '700',
        'Reward quota for the inviter': '30',
        'Reward quota for using an invite code': '20',
      },
    ],
  ] as const;
  await expect(page.getByLabel('Quota reminder threshold', { exact: true })).toHaveValue('0.002');
  for (const units of await page.getByRole('button', { name: 'quota', exact: true }).all()) await units.click();
  for (const [button, fields] of groups) {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    await save(page, button);
    await expect(page.getByRole('button', { name: button })).toBeDisabled();
    await done(page);
  }
  for (const name of [
    "Billing endpoints report the token's quota, not the user's",
    'Estimate token counts to reduce CPU load',
    'Log consumption',
    'Disable channels automatically on failure',
    'Enable channels automatically on success',
  ])
    await page.getByRole('switch', { name }).click({ force: true });
  await expect
    .poll(() => optionsOf(gateway))
    .toMatchObject({
      TopUpLink: 'https://shop.example',
      ChatLink: 'https://chat.example',
      QuotaPerUnit: '1000.5',
      RetryTimes: '3',
      ChannelDisableThreshold: '2.5',
      QuotaRemindThreshold: '1234',
      QuotaForNewUser: '5000',
      AccountsPerHour: '60',
      PreConsumedQuota: '700',
      QuotaForInviter: '30',
      QuotaForInvitee: '20',
      DisplayTokenStatEnabled: 'false',
      ApproximateTokenEnabled: 'true',
      LogConsumeEnabled: 'false',
      AutomaticDisableChannelEnabled: 'true',
      AutomaticEnableChannelEnabled: 'true',
    });
});

test('SET-11 broken ratios are refused in the form; valid ones show what changes before they are saved', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/setting?tab=operation');
  const before = await optionsOf(gateway);
  const saves = watchSaves(page);
  for (const name of ['Model', 'Completion', 'Group']) {
    const field = page.getByRole('textbox', { name: `${name} ratio`, exact: true });
    await field.fill('{"a": 1,}');
    await save(page, 'Save ratio settings');
    await expect(toast(page, `${name.toLowerCase()} ratio is not a valid JSON string`)).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
  }
  expect(saves).toEqual([]);

  const group = page.getByRole('textbox', { name: 'Group ratio', exact: true });
  await group.fill('{"default": 1, "vip": 0.5, "team": 2}');
  await save(page, 'Save ratio settings');
  const question = page.getByRole('alertdialog', { name: 'Save Group ratio?' });
  await expect(question).toContainText('1 changed, 1 added, 1 removed');
  await expect(question.getByRole('listitem')).toHaveText(['vip: 1 → 0.5', '+ team: 2', '− svip']);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect((await optionsOf(gateway))['GroupRatio']).toBe(before['GroupRatio']);
  await save(page, 'Save ratio settings');
  await question.getByRole('button', { name: 'Save' }).click();
  await done(page);
  expect(JSON.parse((await optionsOf(gateway))['GroupRatio'] ?? '')).toEqual({ default: 1, vip: 0.5, team: 2 });

  await page.getByRole('group', { name: 'Model ratio view' }).getByRole('button', { name: 'Table' }).click();
  await page.getByRole('searchbox', { name: 'Search Model ratio' }).fill('gpt-4o-mini');
  const ratio = page.getByRole('spinbutton', { name: 'Ratio of gpt-4o-mini', exact: true });
  await expect(page.getByRole('row').filter({ has: ratio })).toContainText('$0.15');
  await ratio.fill('0.5');
  await page.getByRole('textbox', { name: 'New name in Model ratio' }).fill('house-model');
  await page.getByRole('spinbutton', { name: 'New ratio in Model ratio' }).fill('1.25');
  await page.keyboard.press('Enter');
  await save(page, 'Save ratio settings');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click();
  await done(page);
  const saved: unknown = JSON.parse((await optionsOf(gateway))['ModelRatio'] ?? '');
  expect(saved).toEqual({ ...JSON.parse(before['ModelRatio'] ?? ''), 'gpt-4o-mini': 0.5, 'house-model': 1.25 });
});

test('SET-09 ERR-04 the log before a time is cleared after typing the word; a failure is shown', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await chat(gateway, key, 'gpt-4o-mini');
  await signIn(page, gateway, '/setting?tab=operation');
  // In forced colours a switch that is on still differs from one that is off.
  await page.emulateMedia({ forcedColors: 'active' });
  const colour = (name: string) =>
    page
      .getByRole('switch', { name })
      .evaluate(({ nextElementSibling: track }) => track && getComputedStyle(track).backgroundColor);
  await expect.poll(() => colour('Log consumption')).not.toBe(await colour('Estimate token counts'));
  await page.emulateMedia({ forcedColors: 'none' });
  const time = page.getByRole('textbox', { name: 'Clear rows before' });
  const age = Date.now() / 1000 - Date.parse((await time.inputValue()).replace(' ', 'T')) / 1000;
  expect(Math.abs(age - 2_592_000)).toBeLessThan(7200);
  await time.fill('+1d');
  const clear = page.getByRole('button', { name: 'Clear history logs' });
  await expect(clear).toHaveText(/\(\d+\)$/);
  const question = page.getByRole('alertdialog');
  await clear.click();
  await question.getByRole('button', { name: 'Clear history logs' }).click();
  await expect(question.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  await question.getByRole('textbox').fill('delete');
  await page.route('**/api/log/?*', (route) =>
    route.fulfill({ json: { success: false, message: 'the log is being cleared' } }),
  );
  await question.getByRole('textbox').press('Enter');
  await expect(toast(page, 'log cleanup failed: the log is being cleared')).toBeVisible();
  await page.unrouteAll();
  await clear.click();
  await question.getByRole('textbox').fill('delete');
  await question.getByRole('button', { name: 'Clear history logs' }).click();
  await expect(toast(page, /^\d+ logs cleared/)).toBeVisible();
  const root = await gateway.signIn();
  expect(await root.call('GET', '/api/log/?p=0&type=2')).toEqual([]);
});

test('C30 the search finds settings of every tab, and unsaved input is kept while tabs change', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/setting?tab=other');
  await page.getByLabel('System name', { exact: true }).fill('Half typed');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('smtp');
  await expect(page).toHaveURL(/q=smtp/);
  await expect(page.getByRole('region', { name: 'SMTP' })).toBeVisible();
  const marked = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('found') ?? [])].flatMap((range) =>
        range instanceof Range ? [range.toString().toLowerCase()] : [],
      ),
    );
  await expect.poll(async () => (await marked()).length).toBeGreaterThan(4);
  expect(new Set(await marked())).toEqual(new Set(['smtp']));
  await expect(page.getByLabel('System name', { exact: true })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('history');
  await expect(page.getByRole('button', { name: 'Clear history logs' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('Language');
  await expect(page.getByRole('region', { name: 'Language and appearance' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Invite link' })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('no such thing');
  await expect(page.getByText('No setting matches “no such thing”')).toBeVisible();
  await page.getByRole('link', { name: 'Other settings' }).click();
  await expect.poll(marked).toEqual([]);
  await expect(page.getByText(/set the environment variable RELEASES_URL/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check for updates' })).toHaveCount(0);
  await expect(page.getByLabel('System name', { exact: true })).toHaveValue('Half typed');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Token' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/setting/);
});
