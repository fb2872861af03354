import { readFile } from 'node:fs/promises';
import { rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('RED-04 RED-05 C28 codes created in the form are downloaded as a text file with their name, one a line', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/redemption');
  await page.getByRole('link', { name: 'Add codes' }).first().click();
  const create = page.getByRole('button', { name: 'Create', exact: true });
  // Amounts begin in dollars; the units are a press away and stay exact.
  const quota = page.getByRole('textbox', { name: 'Quota' });
  await expect(quota).toHaveValue('0.2');
  await page.getByRole('button', { name: 'quota', exact: true }).click();
  await expect(quota).toHaveValue('100000');
  await expect(page.getByLabel('Count', { exact: true })).toHaveValue('1');
  await create.click();
  await expect(page.getByText('Enter a name')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('春节 gift');
  await page.getByRole('textbox', { name: 'Quota' }).fill('0');
  await create.click();
  await expect(page.getByText('Enter a whole number of 1 or more')).toBeVisible();
  await page.getByRole('button', { name: '$2', exact: true }).click();
  await page.getByLabel('Count', { exact: true }).fill('101');
  await create.click();
  await expect(page.locator('form').getByText('No more than 100 codes can be generated at once')).toBeVisible();
  await page.getByLabel('Count', { exact: true }).fill('3');
  await expect(page.getByText('3 codes × $2.00 = $6.00')).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), create.click()]);
  await expect(toast(page, /redemption created/i)).toBeVisible();
  expect(download.suggestedFilename()).toBe('春节 gift.txt');
  const lines = await readFile(await download.path(), 'utf8');
  expect(lines).toMatch(/^(?:[0-9a-f]{32}\n){3}$/);
  const root = await gateway.signIn();
  const made = await root.call<{ key: string }[]>('GET', '/api/redemption/?p=0');
  expect(made.map(({ key }) => key).toSorted()).toEqual(lines.trim().split('\n').toSorted());
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByRole('row')).toHaveCount(4);
  for (const fact of ['春节 gift', 'Unused', '$2.00', 'not yet redeemed']) {
    await expect(page.getByRole('row').nth(1)).toContainText(fact);
  }
});

test('RED-01 RED-02 RED-03 codes are searched, copied, enabled, disabled, edited and deleted in their list', async ({
  page,
  context,
  gateway,
}) => {
  const root = await gateway.signIn();
  await root.call('POST', '/api/redemption/', { name: 'old', quota: 500_000, count: 11 });
  const [key = ''] = await root.call<string[]>('POST', '/api/redemption/', {
    name: 'spring',
    quota: 500_000,
    count: 1,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, gateway, '/redemption');
  for (const column of ['ID', 'Name', 'Status', 'Quota', 'Created', 'Redeemed']) {
    await expect(page.getByRole('columnheader', { name: column, exact: true })).toBeVisible();
  }
  await expect(page.getByRole('row')).toHaveCount(11);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('searchbox').fill('12');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('searchbox').fill(' Spring ');
  const row = rowOf(page, 'spring');
  await expect(page.getByRole('row')).toHaveCount(2);
  await row.hover();
  await page.getByRole('button', { name: 'Copy code spring' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(key);
  await page.getByRole('checkbox', { name: 'Select spring' }).check();
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByRole('button', { name: 'Copy names' }).click();
  await expect.poll(copied).toBe('spring');
  await selection.getByRole('button', { name: 'Copy codes' }).click();
  await expect.poll(copied).toBe(key);
  await page.getByRole('checkbox', { name: 'Select spring' }).uncheck();

  const menu = page.getByRole('button', { name: 'Actions: spring' });
  await menu.click();
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PUT'),
    page.getByRole('menuitem', { name: 'Disable' }).click(),
  ]);
  expect(new URL(request.url()).search).toBe('?status_only=true');
  expect(request.postDataJSON()).toEqual({ id: 12, status: 2 });
  await expect(row).toContainText('Disabled');
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Unused');

  await menu.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Quota' }).fill('1.5');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /redemption updated/i)).toBeVisible();
  await expect(row).toContainText('$1.50');

  await root.call('POST', '/api/user/topup', { key });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(row).toContainText('Used');
  await expect(row).not.toContainText('not yet redeemed');
  await menu.click();
  await expect(page.getByRole('menuitem', { name: 'Enable' })).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Delete code' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog).toContainText('Delete spring?');
  await dialog.getByRole('button', { name: 'Delete code' }).click();
  await expect(row).toHaveCount(0);
});

test('TOP-01 TOP-03 a code adds its quota once; errors are shown', async ({ page, gateway }) => {
  const root = await gateway.signIn();
  const [key = ''] = await root.call<string[]>('POST', '/api/redemption/', {
    name: 'gift',
    quota: 1_000_000,
    count: 1,
  });
  await root.call('POST', '/api/user/', { username: 'erin', password: 'correct horse battery' });
  await signIn(page, gateway, '/token', { username: 'erin', password: 'correct horse battery' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Top up' }).click();
  const balance = page.getByRole('heading', { name: 'Remaining quota' }).locator('xpath=following-sibling::p[1]');
  await expect(balance).toHaveText('$0.00');
  const code = page.getByLabel('Top-up code');
  const redeem = page.getByRole('button', { name: 'Redeem' });
  await redeem.click();
  await expect(toast(page, /please enter top-up code/i)).toBeVisible();
  await code.fill('0'.repeat(32));
  await redeem.click();
  await expect(toast(page, 'Redemption failed, invalid redemption code')).toBeVisible();
  await page.route('**/api/user/topup', (route) => route.abort());
  await redeem.click();
  await expect(toast(page, /request failed/i)).toBeVisible();
  await page.unroute('**/api/user/topup');
  await code.fill(` ${key} `);
  await redeem.click();
  await expect(toast(page, /top-up successful, \$2\.00 added/i)).toBeVisible();
  await expect(page.getByText('Added $2.00 · new balance $2.00')).toBeVisible();
  await expect(balance).toHaveText('$2.00');
  await code.fill(key);
  await redeem.click();
  await expect(toast(page, /this redemption code has already been used/)).toBeVisible();
  await expect(balance).toHaveText('$2.00');
});

test('TOP-02 OPT-TopUpLink the shop opens in another tab once root has set its link', async ({ page, gateway }) => {
  await signIn(page, gateway, '/topup');
  await page.getByRole('button', { name: 'Get a code' }).click();
  await expect(toast(page, /the super administrator has not set a top-up link!/i)).toBeVisible();
  const root = await gateway.signIn();
  const shop = `${gateway.url}/about`;
  await root.call('PUT', '/api/option/', { key: 'TopUpLink', value: shop });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Top up' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('status'))).toContain(shop);
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Get a code' }).click(),
  ]);
  await expect(tab).toHaveURL(shop);
});
