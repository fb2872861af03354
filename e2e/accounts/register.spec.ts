import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { localCertificate, startMailServer, type MailServer } from '../../server/test/fakes/services/mail-server.ts';
import type { ManagementClient } from '../../server/test/clients/management-client.ts';
import { startTurnstileServer, type TurnstileServer } from '../../server/test/fakes/services/turnstile-server.ts';
import { signIn, toast } from '../support/actions.ts';
import { expect, test as base, type Gateway } from '../support/gateway.ts';

const account = { user: 'weir@mail.example', pass: 'mail password' };

const test = base.extend<{ mailServer: MailServer; turnstile: TurnstileServer; root: ManagementClient }>({
  mailServer: async ({ browserName: _browserName }, use) => {
    const server = await startMailServer({ account });
    await use(server);
    await server.close();
  },
  turnstile: async ({ browserName: _browserName }, use) => {
    const server = await startTurnstileServer();
    await use(server);
    expect(server.faults()).toEqual([]);
    await server.close();
  },
  serverEnv: async ({ turnstile }, use) => {
    await use({ TURNSTILE_URL: turnstile.url, NODE_EXTRA_CA_CERTS: localCertificate });
  },
  /** With a mail server that requires STARTTLS and an account. */
  root: async ({ gateway, mailServer }, use) => {
    const root = await gateway.signIn();
    const options = {
      SMTPServer: 'localhost',
      SMTPPort: String(mailServer.port),
      SMTPAccount: account.user,
      SMTPToken: account.pass,
      ServerAddress: gateway.url,
    };
    for (const [key, value] of Object.entries(options)) await root.call('PUT', '/api/option/', { key, value });
    await use(root);
  },
});

const set = (root: ManagementClient, key: string, value: string) => root.call('PUT', '/api/option/', { key, value });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Register', exact: true }).click();
const password = 'rivers of the north';

/** Violations of the page's content security policy, and its script errors. */
const watch = (page: Page): string[] => {
  const broken: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) broken.push(message.text());
  });
  page.on('pageerror', (error) => broken.push(error.message));
  return broken;
};

test('AUTH-05 REG-01 REG-02 REG-03 REG-04 REG-05 REG-07 REG-09 C45 C46 C64 registers by invitation with a mailed code', async ({
  page,
  gateway,
  root,
  mailServer,
}) => {
  await set(root, 'EmailVerificationEnabled', 'true');
  await set(root, 'QuotaForNewUser', '500000');
  await set(root, 'QuotaForInvitee', '250000');
  const code = await root.call<string>('GET', '/api/user/aff');
  const broken = watch(page);
  await page.goto(`/register?aff=${code}`);
  await expect(page.getByText(`Invited by code ${code}`)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('aff'))).toBe(code);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page).toHaveURL(/\/register$/);
  await expect(page.getByText(`Invited by code ${code}`)).toBeVisible();
  await expect(page.getByText('at most 12 characters')).toBeVisible();
  await expect(page.getByText('8 to 20 characters')).toBeVisible();

  await submit(page);
  await expect(page.getByText('This field is required')).toHaveCount(4);
  await expect(field(page, 'Username')).toBeFocused();
  await field(page, 'Username').fill('ada');
  await field(page, 'Password').fill('Xk3vQp9');
  await submit(page);
  await expect(page.getByText('password length must not be less than 8')).toBeVisible();
  await field(page, 'Password').fill(password);
  await field(page, 'Confirm password').fill('rivers of the south');
  await submit(page);
  await expect(page.getByText('the two passwords entered do not match')).toBeVisible();
  await field(page, 'Confirm password').fill(password);

  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('This field is required').first()).toBeVisible();
  expect(mailServer.waiting).toEqual([]);
  // A mistyped address is found before anything is sent, and costs no wait.
  await field(page, 'E-mail').fill('Ada@Example');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('Enter a valid e-mail address, such as name@example.com')).toBeVisible();
  await field(page, 'E-mail').fill('Ada@Example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(toast(page, 'verification code sent, please check your email')).toBeVisible();
  // The field is no longer marked.
  await expect(field(page, 'E-mail')).not.toHaveAttribute('aria-invalid');
  await expect(page.getByRole('button', { name: /^retry \((?:30|2\d)\)$/ })).toBeDisabled();
  const received = await mailServer.next();
  expect(received).toMatchObject({ to: ['ada@example.com'], secure: true });
  const [mailed = ''] = /\b\d{6}\b/.exec(received.mail.html ?? '') ?? [];
  await field(page, 'Verification code').fill(mailed === '000000' ? '000001' : '000000');
  await submit(page);
  await expect(page.getByRole('main').getByRole('alert').getByText('Verification code wrong or expired')).toBeVisible();
  await field(page, 'Username').fill('root');
  await submit(page);
  await expect(page.getByRole('main').getByRole('alert').getByText('Username already taken')).toBeVisible();
  await field(page, 'Username').fill('ada');
  await field(page, 'Verification code').fill(mailed);
  await submit(page);
  await expect(page).toHaveURL(/\/login$/);
  await expect(toast(page, /registration successful/i)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('aff'))).toBeNull();

  await field(page, 'Username or e-mail').fill('ada@example.com');
  await field(page, 'Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/token$/);
  await expect(page.getByText('default', { exact: true })).toBeVisible();
  const ada = await gateway.signIn('ada', password);
  expect(await ada.call('GET', '/api/user/self')).toMatchObject({ quota: 750_000, role: 1, group: 'default' });
  expect(broken).toEqual([]);
});

test('REG-06 RESET-01 registering and any mail need human verification, which the content security policy allows', async ({
  page,
  gateway,
  root,
  turnstile,
  mailServer,
}) => {
  await set(root, 'TurnstileSiteKey', turnstile.siteKey);
  await set(root, 'TurnstileSecretKey', turnstile.secretKey);
  await set(root, 'TurnstileCheckEnabled', 'true');
  await set(root, 'EmailVerificationEnabled', 'true');
  const broken = watch(page);
  const wait = 'please retry in a few seconds, Turnstile is checking the user environment';
  await page.goto('/register');
  await field(page, 'E-mail').fill('grace@example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(toast(page, wait)).toBeVisible();
  await field(page, 'Username').fill('grace');
  await field(page, 'Password').fill(password);
  await field(page, 'Confirm password').fill(password);
  await field(page, 'Verification code').fill('123456');
  await submit(page);
  await expect(page).toHaveURL(/\/register$/);
  const widget = page.frameLocator('iframe[title="Widget containing a security challenge"]');
  await widget.getByRole('button', { name: 'I am human' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(toast(page, 'verification code sent, please check your email')).toBeVisible();
  const [mailed = ''] = /\b\d{6}\b/.exec((await mailServer.next()).mail.html ?? '') ?? [];
  await field(page, 'Verification code').fill(mailed);
  await submit(page);
  await expect(page).toHaveURL(/\/login$/);
  // The session was verified once: one request to the service for two calls.
  expect(turnstile.requestCount('/turnstile/v0/siteverify')).toBe(1);

  await page.context().clearCookies();
  await page.goto('/reset');
  await field(page, 'E-mail').fill('grace@example.com');
  await page.getByRole('button', { name: 'Send reset e-mail' }).click();
  await expect(toast(page, wait)).toBeVisible();
  expect(mailServer.waiting).toEqual([]);

  await signIn(page, gateway, '/setting?tab=system');
  await page.getByRole('button', { name: 'Test the verification' }).click();
  await widget.getByRole('button', { name: 'I am human' }).click();
  await expect(page.getByText('The verification works')).toBeVisible();
  expect(broken).toEqual([]);
});

/** An account with an address, as an import creates it: no mail was sent to the address before. */
const openAccount = async (gateway: Gateway, root: ManagementClient): Promise<void> => {
  await root.call('POST', '/api/user/register', { username: 'ada', password });
  const db = new DatabaseSync(join(gateway.dataDir, 'weir.db'), { timeout: 10_000 });
  db.exec("update users set email = 'ada@example.com' where username = 'ada'");
  db.close();
};

test('RESET-01 RESET-02 RESET-03 RESET-04 a forgotten password is replaced by a mailed link', async ({
  page,
  context,
  root,
  gateway,
  mailServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAccount(gateway, root);
  const ada = await gateway.signIn('ada', password);
  const broken = watch(page);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Reset password' })).toBeVisible();
  await page.getByRole('button', { name: 'Send reset e-mail' }).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await field(page, 'E-mail').fill('unknown@example.com');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'reset e-mail sent, please check mailbox')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Check your mailbox' })).toBeVisible();
  await expect(page.getByText('If unknown@example.com belongs to an account')).toBeVisible();
  await expect(page.getByRole('button', { name: /^retry \((?:30|2\d)\)$/ })).toBeDisabled();

  await page.goto('/reset');
  await page.clock.install();
  await field(page, 'E-mail').fill('wrong@');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter a valid e-mail address')).toBeVisible();
  await field(page, 'E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send reset e-mail' }).click();
  await expect(page.getByRole('heading', { name: 'Check your mailbox' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^retry/ })).toBeDisabled();
  for (let second = 0; second < 31; second += 1) await page.clock.runFor(1000);
  await expect(page.getByRole('button', { name: 'Resend' })).toBeEnabled();
  await page.clock.resume();

  const { to, mail } = await mailServer.next();
  expect(to).toEqual(['ada@example.com']);
  expect(mailServer.waiting).toEqual([]);
  const [, href = ''] = /<a href="([^"]+)"/.exec(mail.html ?? '') ?? [];
  const link = href.replaceAll('&amp;', '&');
  expect(link.startsWith(`${gateway.url}/user/reset?email=ada%40example.com&token=`)).toBe(true);
  await page.goto(link);
  await expect(field(page, 'E-mail')).toHaveValue('ada@example.com');
  await expect(field(page, 'E-mail')).not.toBeEditable();
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(toast(page, 'Password reset. The new password was copied to the clipboard.')).toBeVisible();
  const made = await field(page, 'New password').inputValue();
  expect(made).toMatch(/^[0-9A-Za-z]{20}$/);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made);
  await expect(page).toHaveURL(/\/user\/reset$/);
  await expect(ada.call('GET', '/api/user/self')).rejects.toThrow('401');
  await expect(gateway.signIn('ada', password)).rejects.toThrow();

  await page.getByRole('link', { name: 'Sign in' }).click();
  await field(page, 'Username or e-mail').fill('ada');
  await field(page, 'Password').fill(made);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/user\/edit$/);
  await page.goto(link);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByRole('main').getByRole('alert').getByText('Reset link invalid or expired')).toBeVisible();
  expect(broken).toEqual([]);
});

test('AUTH-05 AUTH-09 C54 closed registration hides its link and shows a message, and so does closed password login', async ({
  page,
  root,
}) => {
  await set(root, 'RegisterEnabled', 'false');
  await set(root, 'PasswordLoginEnabled', 'false');
  await page.goto('/login');
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible();
  await expect(page.getByText('Password sign-in is turned off')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0);
  await page.goto('/register');
  await expect(page.getByText('Registration is closed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Register' })).toHaveCount(0);
  await set(root, 'RegisterEnabled', 'true');
  await set(root, 'PasswordRegisterEnabled', 'false');
  await set(root, 'LarkClientId', 'cli_1');
  await page.goto('/register');
  await expect(page.getByText('Registration with a password is turned off')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue with Lark' })).toBeVisible();
  await expect(field(page, 'Username')).toHaveCount(0);
  await page.goto('/user/reset?email=ada@example.com');
  await expect(page.getByText('This link is incomplete')).toBeVisible();
});
