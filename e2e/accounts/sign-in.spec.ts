import { openClient } from '../../server/test/clients/management-client.ts';
import { violations } from '../support/accessibility.ts';
import { signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('SHELL-03 a guarded page shows the sign-in, which then returns to that page', async ({ page, gateway }) => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/user/self', { password: 'another good password' });
  await page.goto('/token/add');
  await expect(page).toHaveURL(/\/login/);
  await page.getByLabel('Username or e-mail').fill('root');
  await page.getByLabel('Password', { exact: true }).fill('another good password');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/token\/add$/);
  await expect(page.getByRole('heading', { level: 1, name: 'New token' })).toBeVisible();
});

test('AUTH-01 C56 C62 C80 a password sign-in says so once and lands on the key list, as do entry forms from then on', async ({
  page,
  context,
  gateway,
}) => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/user/self', { password: 'another good password' });
  const other = await context.newPage();
  await other.goto('/login');
  await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await page.goto('/login');
  await page.evaluate(() => {
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const cards = added.flatMap((node) => (node instanceof Element ? [node, ...node.querySelectorAll('*')] : []));
      const count = cards.filter((card) => card.getAttribute('data-kind') === 'success').length;
      document.body.dataset['toasts'] = String(Number(document.body.dataset['toasts'] ?? 0) + count);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByLabel('Username or e-mail').fill('root');
  await page.getByLabel('Password', { exact: true }).fill('another good password');
  let logins = 0;
  page.on('request', (request) => (logins += request.url().endsWith('/api/user/login') ? 1 : 0));
  await page.getByRole('button', { name: 'Sign in' }).dblclick();
  await expect(page).toHaveURL(/\/token$/);
  expect(logins).toBe(1);
  await expect(toast(page, /login successful/i)).toBeVisible();
  await expect(toast(page, /login successful/i)).toBeHidden();
  expect(await page.evaluate(() => document.body.dataset['toasts'])).toBe('1');
  const stored: unknown = JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? 'null');
  expect(stored).toMatchObject({ username: 'root', role: 100 });
  // The form in another tab, and every form that is opened now.
  await expect(other).toHaveURL(/\/token$/);
  for (const path of ['/login', '/register?aff=X8Jy', '/reset']) {
    await other.goto(path);
    await expect(other).toHaveURL(/\/token$/);
    await expect(other.getByRole('heading', { name: 'Tokens' })).toBeVisible();
  }
  await other.goto('/user/reset?email=root@example.com&token=abc');
  await expect(other.getByRole('button', { name: 'Reset password' })).toBeVisible();
});

test('C27 a button that waits for the server keeps its name', async ({ page }) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  await page.route('**/api/user/login*', async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto('/login');
  await page.getByLabel('Username or e-mail').fill('root');
  await page.getByLabel('Password', { exact: true }).fill('a wrong password');
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  expect(await violations(page)).toEqual([]);
  open();
  await expect(button).not.toHaveAttribute('aria-busy');
});

test('AUTH-02 empty fields do not submit', async ({ page }) => {
  let calls = 0;
  page.on('request', (request) => (calls += request.url().endsWith('/api/user/login') ? 1 : 0));
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Username or e-mail').fill('root');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This field is required')).toBeVisible();
  expect(calls).toBe(0);
});

test('AUTH-03 wrong credentials show the message of the server, which does not reveal what was wrong', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByLabel('Username or e-mail').fill('root');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(toast(page, 'Username or password wrong, or user has been banned')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

test('AUTH-04 C33 the first sign-in of root opens the password change with a warning, which is gone after the change', async ({
  page,
  gateway,
}) => {
  await page.goto('/login');
  await page.getByLabel('Username or e-mail').fill('root');
  await page.getByLabel('Password', { exact: true }).fill(gateway.rootPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/user\/edit$/);
  await expect(
    page.getByRole('alert').filter({ hasText: 'change the default password immediately' }).first(),
  ).toBeVisible();
  // Said once, not in the page and in a notice.
  await expect(page.getByText(/change the default password/i)).toHaveCount(1);
  await page.getByLabel('New password').fill('a password of my own');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /user updated/i)).toBeVisible();
  // The change leads on to where the account begins.
  await expect(page).toHaveURL(`${gateway.url}/`);
  await page.goto('/user/edit');
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await expect(page.getByText(/change the default password/i)).toHaveCount(0);
  await expect(gateway.signIn('root', 'a password of my own')).resolves.toBeDefined();
});

test('AUTH-07 ERR-04 C47 signing out ends the session on the server, and in every tab', async ({
  page,
  context,
  gateway,
}) => {
  await signIn(page, gateway);
  const cookies = await context.cookies();
  const other = await context.newPage();
  await other.goto('/log');
  await expect(other.getByRole('heading', { name: 'Logs' })).toBeVisible();
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(toast(page, /logout success/i)).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await expect(other).toHaveURL(/\/login$/);
  const session = cookies.find(({ name }) => name === 'session');
  const after = openClient(gateway.url, { cookie: `session=${session?.value}` });
  await expect(after.call('GET', '/api/user/self')).rejects.toThrow('401');
});

test('SHELL-04 an ended session redirects to the sign-in with the specified text', async ({
  page,
  context,
  gateway,
}) => {
  await signIn(page, gateway);
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();
  // What the page asks for by itself would otherwise end the session before the press.
  await page.waitForLoadState('networkidle');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page).toHaveURL(/\/login\?expired=true/);
  await expect(page.getByText('not logged in or login expired, please log in again').first()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
});

test('SHELL-02 an unknown path shows the not-found screen, and AUTH-02 its reload too', async ({ page, gateway }) => {
  await signIn(page, gateway, '/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page does not exist; check your browser address' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Page does not exist; check your browser address' })).toBeVisible();
});

test('SHELL-09 a gateway that does not answer is reported once and the page stays usable', async ({ page }) => {
  await page.route('**/api/status', (route) => route.abort());
  await page.goto('/login');
  await expect(toast(page, 'cannot connect to server normally!')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
});

test('SHELL-08 SHELL-18 the start stores the public status and nothing secret', async ({ page, gateway }) => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'SystemName', value: 'River House' });
  await signIn(page, gateway);
  await expect(page).toHaveTitle(/River House/);
  const key = await root.call<{ key: string }>('POST', '/api/token/', { name: 'secret' });
  await page.reload();
  await expect(page.getByText('secret', { exact: true })).toBeVisible();
  const stored = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)));
  expect(stored).toMatchObject({ system_name: 'River House', quota_per_unit: '500000', display_in_currency: 'true' });
  const known = [
    'user',
    'status',
    'aff',
    'quota_per_unit',
    'display_in_currency',
    'system_name',
    'logo',
    'footer_html',
    'channel_models',
  ];
  const others = Object.keys(stored).filter((name) => !known.includes(name) && !name.startsWith('prompt-'));
  expect(others.filter((name) => !name.startsWith('weir'))).toEqual([]);
  expect(JSON.stringify(stored)).not.toContain(key.key);
  expect(JSON.stringify(stored)).not.toContain(gateway.rootPassword);
});
