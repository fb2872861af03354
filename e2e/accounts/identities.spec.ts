import type { Page } from '@playwright/test';
import { type CodeHost, startCodeHost } from '../../server/test/fakes/services/fake-code-host.ts';
import { type LoginServer, startLoginServer } from '../../server/test/fakes/services/fake-login-server.ts';
import { localCertificate, startMailServer, type MailServer } from '../../server/test/fakes/services/mail-server.ts';
import { violations } from '../support/accessibility.ts';
import { signIn, toast } from '../support/actions.ts';
import { test as base, expect, type Gateway } from '../support/gateway.ts';

const mailAccount = { user: 'weir@mail.example', pass: 'mail password' };

const test = base.extend<{ host: CodeHost; loginServer: LoginServer; mailServer: MailServer }>({
  mailServer: async ({}, use) => {
    const mailServer = await startMailServer({ account: mailAccount });
    await use(mailServer);
    await mailServer.close();
  },
  host: async ({}, use) => {
    const host = await startCodeHost();
    await use(host);
    expect(host.faults()).toEqual([]);
    await host.close();
  },
  loginServer: async ({}, use) => {
    const loginServer = await startLoginServer();
    await use(loginServer);
    expect(loginServer.faults()).toEqual([]);
    await loginServer.close();
  },
  serverEnv: async ({ host }, use) => {
    await use({ GITHUB_URL: host.url, NODE_EXTRA_CA_CERTS: localCertificate });
  },
});

const userPassword = 'correct horse battery staple';

const set = async (gateway: Gateway, options: Readonly<Record<string, string>>): Promise<void> => {
  const root = await gateway.signIn();
  for (const [key, value] of Object.entries(options)) await root.call('PUT', '/api/option/', { key, value });
};

const offerCodeHost = async (gateway: Gateway, host: CodeHost): Promise<void> => {
  host.callback = `${gateway.url}/oauth/github`;
  await set(gateway, {
    GitHubClientId: host.clientId,
    GitHubClientSecret: host.clientSecret,
    GitHubOAuthEnabled: 'true',
  });
};

const offerChatApp = (gateway: Gateway, { url, token }: LoginServer): Promise<void> =>
  set(gateway, {
    WeChatServerAddress: url,
    WeChatServerToken: token,
    WeChatAccountQRCodeImageURL: `${url}/qr.svg`,
    WeChatAuthEnabled: 'true',
  });

const addUser = async (gateway: Gateway, username: string): Promise<void> => {
  const root = await gateway.signIn();
  await root.call('POST', '/api/user/', { username, password: userPassword });
};

const storedUser = (page: Page): Promise<unknown> =>
  page.evaluate((): unknown => JSON.parse(localStorage.getItem('user') ?? 'null'));

test('AUTH-06 OAUTH-01 OAUTH-03 OAUTH-04 OAUTH-07 the code host is offered once it is on, and signs in a new user', async ({
  page,
  gateway,
  host,
}) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('button', { name: /Continue with/ })).toHaveCount(0);

  await offerCodeHost(gateway, host);
  host.codes.person = { id: 42, login: 'octocat', name: 'The Octocat', email: null };
  await page.reload();
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(page.getByRole('heading', { name: 'Code host' })).toBeVisible();
  const query = new URL(page.url()).searchParams;
  expect(query.get('client_id')).toBe(host.clientId);
  expect(query.get('scope')).toBe('user:email');
  expect(query.get('state')).toMatch(/^[\w-]{32}$/);
  expect(query.get('code_challenge_method')).toBe('S256');

  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page).toHaveURL(`${gateway.url}/`);
  await expect(toast(page, /login successful/i)).toBeVisible();
  expect(await storedUser(page)).toMatchObject({ display_name: 'The Octocat', role: 1 });
  await page.goto('/user/edit');
  await expect(page.getByLabel('Bound GitHub account')).toHaveValue('octocat');
});

test('OAUTH-03 OAUTH-04 PROF-02 a code-host account is bound in the settings, shows read-only, and is bound once', async ({
  page,
  gateway,
  host,
}) => {
  await offerCodeHost(gateway, host);
  await addUser(gateway, 'ada');
  await addUser(gateway, 'bob');
  host.codes.person = { id: 7, login: 'ada-codes', name: 'Ada', email: null };

  await signIn(page, gateway, '/setting', { username: 'ada', password: userPassword });
  await page.getByRole('button', { name: 'Bind GitHub' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page).toHaveURL(/\/setting$/);
  await expect(toast(page, /account bound/i)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'GitHub' })).toContainText('ada-codes');
  await page.getByRole('link', { name: 'Update profile' }).click();
  await expect(page.getByLabel('Bound GitHub account')).toHaveValue('ada-codes');
  await expect(page.getByLabel('Bound GitHub account')).not.toBeEditable();
  await expect(page.getByLabel('Bound WeChat account')).not.toBeEditable();
  await expect(page.getByLabel('Bound e-mail address')).not.toBeEditable();

  await signIn(page, gateway, '/setting', { username: 'bob', password: userPassword });
  await page.getByRole('button', { name: 'Bind GitHub' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(toast(page, 'This GitHub account is already bound')).toBeVisible();
  await expect(page).toHaveURL(/\/setting$/);
});

test('OAUTH-02 OAUTH-05 C63 the callback page waits for an unreachable gateway, and the state of another session is refused', async ({
  page,
  gateway,
  host,
}) => {
  await offerCodeHost(gateway, host);
  await page.goto('/oauth/github?code=made-up&state=made-up');
  await expect(page).toHaveURL(/\/login$/);
  await expect(toast(page, /State is empty or not same/)).toBeVisible();

  let failures = 0;
  await page.route('**/api/oauth/github*', async (route) => {
    failures += 1;
    if (failures === 1) return route.abort();
    if (failures === 2) return route.fulfill({ status: 403, json: { success: false, message: 'Too early' } });
    return route.continue();
  });
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(page.getByRole('heading', { name: 'Code host' })).toBeVisible();
  await page.clock.install();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page.getByText('processing...')).toBeVisible();
  await expect(page.getByText('Retry 1 in 2 seconds')).toBeVisible();
  await page.clock.runFor(2000);
  await expect(page.getByText('Retry 2 in 4 seconds')).toBeVisible();
  await expect(page.getByText('Error: Too early')).toBeVisible();
  await page.clock.runFor(4000);
  await expect(page).toHaveURL(`${gateway.url}/`);
  expect(await storedUser(page)).toMatchObject({ role: 1 });
  expect(host.requestCount('/login/oauth/access_token')).toBe(1);
});

test('AUTH-10 OAUTH-06 the chat app signs in by a code, and is bound by one', async ({
  page,
  gateway,
  loginServer,
}) => {
  await offerChatApp(gateway, loginServer);
  await addUser(gateway, 'ada');
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with WeChat' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in with WeChat' });
  const picture = dialog.getByRole('img', { name: /QR code/ });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBe(200);
  await expect(dialog.getByText('valid for 3 minutes')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog.getByText('Enter the code')).toBeVisible();
  expect(loginServer.requestCount('/api/wechat/user')).toBe(0);
  await dialog.getByLabel('Verification code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Verification code wrong or expired')).toBeVisible();
  await dialog.getByLabel('Verification code').fill(loginServer.codeFor('wx-octo'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${gateway.url}/`);
  expect(await storedUser(page)).toMatchObject({ display_name: 'WeChat User' });

  await signIn(page, gateway, '/setting', { username: 'ada', password: userPassword });
  await page.getByRole('button', { name: 'Bind WeChat' }).click();
  const binding = page.getByRole('dialog', { name: 'Bind WeChat' });
  await binding.getByLabel('Verification code').fill(loginServer.codeFor('wx-octo'));
  await binding.getByRole('button', { name: 'Bind' }).click();
  await expect(toast(page, 'This chat-app account is already bound')).toBeVisible();
  await binding.getByLabel('Verification code').fill(loginServer.codeFor('wx-ada'));
  await binding.getByRole('button', { name: 'Bind' }).click();
  await expect(toast(page, /chat-app account bound/i)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'WeChat' })).toContainText('wx-ada');
  await page.goto('/user/edit');
  await expect(page.getByLabel('Bound WeChat account')).toHaveValue('wx-ada');
});

test('OAUTH-06 an e-mail address is bound by a mailed code, which can be requested again only after 30 seconds', async ({
  page,
  gateway,
  mailServer,
}) => {
  await set(gateway, {
    SMTPServer: 'localhost',
    SMTPPort: String(mailServer.port),
    SMTPAccount: mailAccount.user,
    SMTPToken: mailAccount.pass,
  });
  await addUser(gateway, 'ada');
  await signIn(page, gateway, '/setting', { username: 'ada', password: userPassword });
  await page.getByRole('button', { name: 'Bind E-mail' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bind an e-mail address' });
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await expect(dialog.getByText('Enter an e-mail address')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel('E-mail address').fill('ada@example.com');
  await page.clock.install();
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await expect(toast(page, /verification code sent, please check your email/i)).toBeVisible();
  await expect(dialog.getByRole('button', { name: /retry \(\d+\)/i })).toBeDisabled();
  for (let second = 0; second < 31; second += 1) await page.clock.runFor(1000);
  await expect(dialog.getByRole('button', { name: 'Send code' })).toBeEnabled();

  await dialog.getByRole('button', { name: 'Bind', exact: true }).click();
  await expect(dialog.getByText('Enter the code')).toBeVisible();
  await dialog.getByLabel('Verification code').fill('no code');
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click();
  await expect(toast(page, 'Verification code wrong or expired')).toBeVisible();
  const { mail } = await mailServer.next();
  const code = /<strong>(\d{6})<\/strong>/.exec(mail.html ?? '')?.[1] ?? '';
  await dialog.getByLabel('Verification code').fill(code);
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click();
  await expect(toast(page, /email account bound/i)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'E-mail' })).toContainText('ada@example.com');
  await page.goto('/user/edit');
  await expect(page.getByLabel('Bound e-mail address')).toHaveValue('ada@example.com');
});
