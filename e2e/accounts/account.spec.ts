import { openClient } from '../../server/test/clients/management-client.ts';
import { violations } from '../support/accessibility.ts';
import { signIn, toast } from '../support/actions.ts';
import { expect, test, type Gateway } from '../support/gateway.ts';

const password = 'correct horse battery staple';

const addUser = async (gateway: Gateway, username: string): Promise<void> => {
  const root = await gateway.signIn();
  await root.call('POST', '/api/user/', { username, password });
};

const selfOf = ({ url }: Gateway, headers: Readonly<Record<string, string>>) =>
  openClient(url, headers).call('GET', '/api/user/self');

test('PROF-01 PROF-03 PROF-04 C40 C50 the settings show account and keys of this platform, and take a long password', async ({
  page,
  context,
  gateway,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await signIn(page, gateway, '/setting');
  await page.getByRole('button', { name: 'Generate system access token' }).click();
  await expect(toast(page, /token reset and copied to clipboard/i)).toBeVisible();
  const first = await clipboard();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  await expect(page.getByRole('textbox', { name: 'System access token' })).toHaveValue(first);
  expect(await selfOf(gateway, { authorization: first })).toMatchObject({ username: 'root' });
  const relayed = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${first}` } });
  expect(relayed.status).toBe(401);
  await page.getByRole('button', { name: 'Generate system access token' }).click();
  await expect(page.getByRole('textbox', { name: 'System access token' })).not.toHaveValue(first);
  await expect(selfOf(gateway, { authorization: first })).rejects.toThrow('access token invalid');

  await page.getByRole('button', { name: 'Copy invite link' }).click();
  await expect(toast(page, /invite link copied/i)).toBeVisible();
  expect(await clipboard()).toMatch(new RegExp(`^${gateway.url}/register\\?aff=[0-9A-Za-z]+$`));

  await expect(page.getByText('Ctrl+K and Esc always work')).toBeVisible();
  const html = page.locator('html');
  const single = page.getByRole('switch', { name: 'Single-key shortcuts' });
  await html.press('Shift+D');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await single.click({ force: true });
  await single.blur();
  await html.press('Shift+D');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await single.click({ force: true });
  await single.blur();
  await html.press('Shift+D');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await html.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText(/Channel\s*g c/);
  await expect(sheet).toContainText('Ctrl+K');
  await expect(sheet).toContainText('Shift+D');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);

  await page.getByRole('link', { name: 'Update profile' }).click();
  await expect(page).toHaveURL(/\/user\/edit$/);
  await expect(page.getByLabel('New password')).toHaveAttribute('placeholder', 'minimum 8 characters');
  // Longer ones than the hint of the registration names are good passwords: no text here names a maximum.
  const long = 'a password of more than seventy characters, which a manager made and keeps';
  await page.getByLabel('New password').fill(long);
  await page.getByLabel('Display name').fill('The Root');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /user updated/i)).toBeVisible();
  await expect(gateway.signIn('root', long)).resolves.toBeDefined();
  await page.goto('/user/edit');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/setting$/);
  await expect(page.getByText('The Root')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete account' })).toHaveCount(0);
});

test('PROF-05 an account is deleted with its data once its name is typed', async ({ page, context, gateway }) => {
  await addUser(gateway, 'leaving');
  await signIn(page, gateway, '/setting', { username: 'leaving', password });
  const session = (await context.cookies()).find(({ name }) => name === 'session');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  // The name exactly as it must be typed, not capitalised.
  await expect(dialog.getByText('leaving', { exact: true })).toHaveText('leaving', { useInnerText: true });
  await dialog.getByLabel('Account name').fill('another name');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('please enter your account name to confirm deletion')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel('Account name').fill('leaving');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(toast(page, /account deleted/i)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  const cookie = `session=${session?.value}`;
  await expect(selfOf(gateway, { cookie })).rejects.toThrow('not logged in');
  await expect(gateway.signIn('leaving', password)).rejects.toThrow('wrong');
});
