import { readFileSync } from 'node:fs';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('TOK-11 TOK-14 TOK-15 a key created with the defaults, after the notice about its quota, appears first in the list', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  await page.getByRole('link', { name: 'Create token' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Quota' })).toHaveValue('1');
  await expect(page.getByText('500000 quota')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Never' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('switch', { name: 'Unlimited quota' })).not.toBeChecked();
  await expect(page.getByText('real use is bounded by the account')).toBeVisible();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/token\/add$/);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('From the form');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(toast(page, /token created, click copy in the list to get the token/i)).toBeVisible();
  await page.goto('/token');
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('From the form');
  await expect(row).toContainText('$1.00');
  await expect(row).toContainText('Never');
});

/** Clients that get a key by a link, and the start of the link. */
const clientAddresses = [
  ['OpenCat', 'opencat://'],
  ['AMA (BotGem)', 'ama://'],
] as const;

test('TOK-06 TOK-07 W10 copying a key writes it to the clipboard with its sk- prefix; two clients to chat in', async ({
  page,
  context,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, gateway);
  await page.getByRole('button', { name: 'Copy key of Production' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(key);

  // A click in the submenu does not count as one outside the first menu, which would close it.
  for (const [client, address] of Array.from({ length: 3 }, () => clientAddresses).flat()) {
    await page.getByRole('button', { name: 'Actions: Production' }).click();
    await page.getByRole('menuitem', { name: 'Copy for' }).click();
    await page.getByRole('menuitem', { name: client }).click();
    await expect.poll(copied).toContain(address);
  }

  // The web app has a button of its own.
  await expect(page.getByRole('button', { name: 'Chat with Production' })).toBeVisible();
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  await page.getByRole('menuitem', { name: 'Chat in' }).click();
  await expect(page.getByRole('menuitem', { name: /AMA|OpenCat|NextChat|ChatGPT/ })).toHaveText([
    'AMA (BotGem)',
    'OpenCat',
  ]);
});

test('TOK-06 a refused clipboard puts the key into the search box with a warning', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } });
    Object.defineProperty(document, 'execCommand', { value: () => false });
  });
  await signIn(page, gateway);
  await page.getByRole('button', { name: 'Copy key of Production' }).click();
  await expect(toast(page, /cannot copy to clipboard, please copy manually/i)).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue(key);
});

test('TOK-09 C51 a key disabled in its menu stops working at once; an exhausted one works again once its quota is saved', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await signIn(page, gateway);
  const sent: unknown[] = [];
  page.on('request', (request) => {
    const body: unknown = request.postDataJSON();
    if (request.method() === 'PUT') sent.push({ query: new URL(request.url()).search, body });
  });
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(rowOf(page, 'Production')).toContainText('Disabled');
  await expect.poll(async () => (await chat(gateway, key, 'gpt-4o-mini')).status).toBe(401);
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await expect(rowOf(page, 'Production')).toContainText('Enabled');
  await expect.poll(async () => (await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);
  expect(sent).toEqual([
    { query: '?status_only=true', body: { id: 1, status: 2 } },
    { query: '?status_only=true', body: { id: 1, status: 1 } },
  ]);

  const root = await gateway.signIn();
  await root.call('PUT', '/api/token/', { id: 1, name: 'Production', unlimited_quota: false, remain_quota: 0 });
  await expect.poll(async () => (await chat(gateway, key, 'gpt-4o-mini')).status).not.toBe(200);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(rowOf(page, 'Production')).toContainText('Exhausted');
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog).toContainText('Saving enables it.');
  await dialog.getByRole('button', { name: 'Edit token' }).click();
  await page.getByRole('textbox', { name: 'Quota' }).fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Production is enabled again')).toBeVisible();
  await expect(rowOf(page, 'Production')).toContainText('Enabled');
  await expect.poll(async () => (await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);
});

test('TOK-08 deleting a key needs a confirmation, and the key stops working at once', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway);
  await signIn(page, gateway);
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog).toContainText('Production');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  // The row leaves the list before the server answers.
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await dialog.getByRole('button', { name: 'Delete token' }).click();
  await expect(rowOf(page, 'Production')).toHaveCount(0);
  expect((await deleted).ok()).toBe(true);
  expect((await chat(gateway, key, 'gpt-4o-mini')).status).toBe(401);
});

test('TOK-02 TOK-03 TOK-04 C24 C44 W11 searching, ordering and paging happen on the server and are kept in the URL', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  for (let index = 1; index <= 23; index += 1) {
    await root.call('POST', '/api/token/', { name: `key ${index}`, remain_quota: index * 1000 });
  }
  const pages: string[] = [];
  page.on('response', (response) => void (/token\/\?p=0/.test(response.url()) && pages.push('the first has arrived')));
  page.on('request', (request) => void (/token\/\?p=1/.test(request.url()) && pages.push('the second is requested')));
  await signIn(page, gateway);
  await expect(page.getByRole('row')).toHaveCount(11);
  await expect.poll(() => pages).toEqual(['the first has arrived', 'the second is requested']);
  await expect(page.getByRole('row').nth(1)).toContainText('key 23');
  // C24: the length is known before the last page is loaded, and the last page can be opened.
  const pager = page.getByRole('navigation', { name: 'Pages' });
  await expect(page.getByText('Rows 1–10 of 23')).toBeVisible();
  await expect(pager.getByRole('button', { name: 'Page 3' })).toBeVisible();
  expect(pages).toHaveLength(2);

  // The columns in another order, by keyboard and by mouse, stored in this browser.
  const heads = page.getByRole('columnheader');
  await page.getByRole('button', { name: 'Columns and density' }).click();
  await page.getByRole('button', { name: 'Move Used' }).press('ArrowUp');
  await page.getByRole('button', { name: 'Move Used' }).press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Move Used' })).toBeFocused();
  await page.getByRole('button', { name: 'Move Expires' }).dragTo(page.getByRole('button', { name: 'Move Key' }));
  await page.keyboard.press('Escape');
  const order = [
    'Select all rows shown',
    'Used',
    'Name',
    'Status',
    'Remaining',
    'Expires',
    'Key',
    'Created',
    'Actions',
  ];
  await expect(heads).toHaveText(order);
  await page.reload();
  await expect(heads).toHaveText(order);
  await page.getByRole('button', { name: 'Columns and density' }).click();
  await page.getByRole('button', { name: 'Reset columns' }).click();
  await expect(heads.nth(1)).toHaveText('Name');
  await page.keyboard.press('Escape');

  // All matching keys as a file, also those not loaded yet.
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'All matching rows' }).click();
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(24);
  expect(lines[23]).toMatch(/^key 1,/);

  // Rows whose action failed stay selected, with the reason.
  await page.route('**/api/token/22', (route) =>
    route.fulfill({ json: { success: false, message: 'it is held', data: null } }),
  );
  // C44: the row keys need no focus in the table; the first one leads to its first row.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press('j');
  await expect(page.getByRole('row').nth(1)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('3 selected');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete token' }).click();
  await expect(bar).toContainText(/key 22: it is held/i);
  await expect(bar).toContainText('1 selected');
  await expect(page.getByText('Rows 1–10 of 21')).toBeVisible();
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  for (const name of ['key 21', 'key 20']) await root.call('POST', '/api/token/', { name, remain_quota: 20_000 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('key 20');

  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('key 13');
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toContainText('key 13');
  await page.getByRole('button', { name: 'Page 3' }).click();
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByLabel('Order').selectOption({ label: 'Order: by remaining quota' });
  await expect(page.getByRole('row').nth(1)).toContainText('key 23');
  await page.getByRole('searchbox').fill('  key 7 ');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').nth(1)).toContainText('key 7');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await expect(page.getByRole('row')).toHaveCount(11);

  // On a phone the filters are in a sheet.
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Exhausted' }).click();
  await page.getByRole('button', { name: 'Apply (1)' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('No tokens match')).toBeVisible();
});

test('TOK-12 TOK-13 C6 C52 expiry and quota are checked in the form and sent in the wire format', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/token/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Short-lived');
  await page.getByRole('textbox', { name: 'Expires' }).fill('not a date');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('expiry time format error!').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Expires' }).fill('2020-01-01 00:00');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('This time is in the past')).toBeVisible();
  // A draft of the form says that it is one, and can be dropped.
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Short-lived');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('textbox', { name: 'Expires' })).toHaveValue('');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Short-lived');
  await page.getByRole('button', { name: '1 hour' }).click();
  await page.getByText('Unlimited quota').click();
  await expect(page.getByRole('textbox', { name: 'Quota' })).toBeDisabled();
  const before = Math.floor(Date.now() / 1000);
  const [request] = await Promise.all([
    page.waitForRequest((candidate) => candidate.method() === 'POST' && candidate.url().includes('/api/token')),
    page.getByRole('button', { name: 'Create', exact: true }).click(),
  ]);
  const body: unknown = request.postDataJSON();
  expect(body).toMatchObject({ name: 'Short-lived', unlimited_quota: true });
  const expiry =
    typeof body === 'object' && body !== null && 'expired_time' in body ? Number(body.expired_time) : Number.NaN;
  expect(Number.isInteger(expiry)).toBe(true);
  expect(expiry - before).toBeGreaterThanOrEqual(3590);
  expect(expiry - before).toBeLessThanOrEqual(3660);
});
