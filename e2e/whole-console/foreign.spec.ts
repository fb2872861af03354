import { expect, type Page, test } from '@playwright/test';
import { rowOf, toast } from '../support/actions.ts';
import { startForeignServer } from '../support/foreign-server.ts';

const signInAs = async (page: Page, url: string, username: string, lands: RegExp): Promise<void> => {
  await page.goto(`${url}/login`);
  await page.getByLabel('Username or e-mail').fill(username);
  await page.getByLabel('Password', { exact: true }).fill('123456');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(lands);
};

test('API-02 SHELL-21 W4 C24 on another server of the contract root works with its keys, channels and settings, and finds no extras', async ({
  page,
}) => {
  const server = await startForeignServer();
  await signInAs(page, server.url, 'root', /\/user\/edit$/);
  await expect(toast(page, /change the default password immediately/i)).toBeVisible();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect(navigation.getByRole('link', { name: 'Channel' })).toBeVisible();
  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByText('No requests in this period')).toBeVisible();

  // The automatic key has no list of models at all; an empty one means the same there.
  await page.goto(`${server.url}/token/edit/3`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /token updated/i)).toBeVisible();
  expect(server.changes.at(-1)).toMatchObject({
    call: 'PUT /api/token/',
    body: { id: 3, name: 'renamed', models: '' },
  });

  await page.goto(`${server.url}/channel`);
  await expect(rowOf(page, 'From elsewhere')).toContainText('99');
  await expect(rowOf(page, 'From elsewhere')).toContainText('not supported');
  await page.getByRole('button', { name: 'Test From elsewhere' }).click();
  await expect(toast(page, /status code: 401/i)).toBeVisible();
  await page.getByRole('button', { name: 'Actions: From elsewhere' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete channel' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Health' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(rowOf(page, 'From elsewhere')).toContainText('Disabled');

  // C24: a server that does not tell the length of a list, before and after the next page was read.
  const second = Promise.withResolvers<undefined>();
  await page.route('**/api/redemption/?p=1', async (route) => {
    await second.promise;
    await route.continue();
  });
  await page.goto(`${server.url}/redemption`);
  await expect(page.getByText('Rows 1–10 · more available')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next page' })).toBeEnabled();
  second.resolve(undefined);
  await expect(page.getByText('Rows 1–10 of 10')).toBeVisible();

  await page.goto(`${server.url}/user/edit/2`);
  await page.getByLabel('Remaining quota').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /This server ignores a remaining quota of 0/)).toBeVisible();
  expect(server.changes.at(-1)).toMatchObject({ call: 'PUT /api/user/', body: { id: 2, quota: 0 } });

  await page.goto(`${server.url}/audit`);
  await expect(page.getByText('Page does not exist; check your browser address')).toBeVisible();
  await page.goto(`${server.url}/setting?tab=system`);
  const whitelist = page.getByRole('region', { name: 'whitelist' });
  await expect(whitelist.getByRole('switch')).toHaveCount(1);
  await page.getByRole('region', { name: 'Lark' }).getByRole('textbox').first().fill('cli_1');
  await page.getByRole('region', { name: 'Lark' }).getByRole('button', { name: /^Save/ }).click();
  await expect(toast(page, 'operation completed successfully')).toBeVisible();
  expect(server.changes.at(-1)).toEqual({ call: 'PUT /api/option/', body: { key: 'LarkClientId', value: 'cli_1' } });
  await page.getByRole('link', { name: 'Operation settings' }).click();
  await expect(page.getByRole('textbox', { name: 'Model ratio', exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: /Part ratio/i })).toHaveCount(0);
  await page.getByRole('link', { name: 'Other settings' }).click();
  await expect(page.getByText(/the update check is unavailable/i)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check for updates' })).toHaveCount(0);
  expect(server.unknown()).toEqual([]);
  await server.close();
});

test('API-02 SHELL-21 W4 on another server of the contract a log without ids is shown in full, a deleted account is signed out', async ({
  page,
}) => {
  const server = await startForeignServer();
  await signInAs(page, server.url, 'bob', /\/token$/);
  await expect(rowOf(page, 'default')).toContainText('Unlimited');
  await page.goto(`${server.url}/log`);
  await expect(rowOf(page, 'gpt-4o')).toHaveCount(3);
  await page.getByRole('button', { name: 'Show total' }).click();
  await expect(page.getByText('<$0.01', { exact: true }).first()).toBeVisible();
  // The chart, which appears last, is drawn from the loaded rows.
  await expect(page.getByText('3 loaded rows')).toBeVisible();
  await expect(page.getByText(/NaN|undefined|null/)).toHaveCount(0);
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByRole('img', { name: 'Usage over time: $1.00 in total' })).toBeVisible();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('region', { name: 'Usage over time as a table' })).toContainText('gpt-4o');

  await page.goto(`${server.url}/setting`);
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  await dialog.getByLabel('Account name').fill('bob');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.waitForURL(/\/login$/);
  expect(server.changes.slice(-2).map(({ call }) => call)).toEqual(['DELETE /api/user/self', 'GET /api/user/logout']);
  expect(server.unknown()).toEqual([]);
  await server.close();
});
