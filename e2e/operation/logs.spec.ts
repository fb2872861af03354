import { readFileSync } from 'node:fs';
import { addLogs, chat, prepareRelay, rowOf, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('LOG-03 LOG-02 C10 a relayed request is in the log with tokens and cost, a refused one with its reason', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);
  expect((await chat(gateway, key, 'gpt-4o-mini', { stream: true })).status).toBe(200);
  const root = await gateway.signIn();
  const logs = await root.call<{ id: number; request_id: string; model_name: string; quota: number }[]>(
    'GET',
    '/api/log/?p=0',
  );
  expect(logs.map((log) => log.model_name)).toEqual(['gpt-4o-mini', 'gpt-4o']);

  await signIn(page, gateway, '/log');
  const row = rowOf(page, 'gpt-4o-mini');
  await expect(row).toContainText('Production');
  await expect(row).toContainText('Consumption');
  await expect(page.getByRole('row')).toHaveCount(3);
  const stat = page.waitForResponse((response) => response.url().includes('/api/log/stat'));
  await page.getByRole('button', { name: 'Show total' }).click();
  const total: unknown = await (await stat).json();
  expect(total).toMatchObject({ data: { quota: logs.reduce((sum, log) => sum + log.quota, 0) } });

  // The palette finds a request by its id, and a token by its whole key, which is in no request.
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Search and commands' });
  await palette.fill(key);
  await expect(page.getByRole('option', { name: 'Production' })).toBeVisible();
  expect(requested.join()).not.toContain(key.slice(3));
  const [newest] = logs;
  await palette.fill(newest?.request_id ?? '');
  await page.getByRole('option', { name: newest?.request_id ?? '' }).click();
  await expect(page).toHaveURL(new RegExp(`id=${newest?.id}`));
  await expect(page.getByRole('region', { name: 'Cost breakdown' })).toBeVisible();

  // A refused call is no record of the list until its type is chosen; the palette finds it too.
  const refused = await chat(gateway, key, 'unlisted');
  expect(refused.status).toBe(503);
  await expect
    .poll(() => root.call('GET', `/api/log/search?keyword=${refused.requestId}`))
    .toMatchObject([{ type: 20, refusal: { rule: 'no_channel' } }]);
  await page.keyboard.press('Control+k');
  await palette.fill(refused.requestId);
  await page.getByRole('option', { name: refused.requestId }).click();
  await expect(page).toHaveURL(/type=20/);
  const reason = page.getByRole('region', { name: 'Why it was refused' });
  await expect(reason).toContainText('No enabled channel serves this model to this group.');
  await expect(reason).toContainText('Retry after 1 s');
  await expect(reason).toContainText('No channel lists this model.');
  await expect(reason.getByRole('link', { name: 'Channels with this model' })).toHaveAttribute(
    'href',
    '/channel?model=unlisted',
  );
  await page.reload();
  await expect(reason).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rowOf(page, 'unlisted')).toContainText('503no_channel');
  await page.getByLabel('Type').selectOption({ label: 'All but tests' });
  await expect(rowOf(page, 'gpt-4o-mini')).toBeVisible();
  await expect(rowOf(page, 'unlisted')).toHaveCount(0);
});

test('LOG-01 LOG-05 filters are sent to the server and kept in the URL', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o-mini');
  await signIn(page, gateway, '/log');
  await expect(page.getByRole('row')).toHaveCount(3);
  // Excluding filters run in the page: its requests to the server stay the same.
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.getByRole('gridcell', { name: 'gpt-4o-mini' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Exclude gpt-4o-mini' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('gridcell', { name: 'gpt-4o' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Exclude gpt-4o' }).click();
  await expect(page).toHaveURL(/not=.*gpt-4o-mini.*gpt-4o(?:&|$)/);
  await expect(page.getByRole('menu')).toBeHidden();
  await page.getByRole('button', { name: 'Show excluded rows' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  expect(requested.filter((url) => /exclude|not=/.test(new URL(url).search) && url.includes('/api/'))).toEqual([]);
  await page.getByRole('gridcell', { name: 'gpt-4o-mini' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Only gpt-4o-mini' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/model_name=gpt-4o-mini/);
  await page.getByRole('combobox', { name: 'Model name' }).fill('gpt-4o');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/model_name=gpt-4o(?:&|$)/);
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Type').selectOption({ label: 'Management' });
  await expect(page.getByRole('row').filter({ hasText: 'gpt-4o' })).toHaveCount(0);
});

test('LOG-02 LOG-03 the drawer explains a charge to the last unit and shows the route, and its URL opens it again', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  const root = await gateway.signIn();
  const [log] = await root.call<{ id: number; quota: number; prompt_tokens: number }[]>('GET', '/api/log/?p=0&type=2');
  await signIn(page, gateway, '/log');
  await rowOf(page, 'gpt-4o').click();
  const charge = page.getByRole('region', { name: 'Cost breakdown' });
  await expect(charge).toContainText('Rounded up');
  await expect(charge.getByRole('row').last()).toContainText(Number(log?.quota).toLocaleString('en'));
  await expect(charge).toContainText('Channel 1: status 200');
  await expect(charge.getByRole('link', { name: 'Channel 1' })).toHaveAttribute('href', '/channel/1');
  await expect(charge).toContainText(/Timeline: \d/);
  await page.reload();
  await expect(charge).toContainText('Rounded up');
  await page.keyboard.press('Escape');
  await expect(charge).toBeHidden();
});

test('LOG-06 LOG-05 C24 of thousands of records only the visible rows are in the document, at any scroll position', async ({
  page,
  gateway,
}) => {
  await gateway.signIn();
  const now = Math.floor(Date.now() / 1000);
  const total = await addLogs(gateway, { count: 25_000, until: now });
  await signIn(page, gateway, '/log?range=7d');
  await expect(page.getByText('25,000 records')).toBeVisible();
  await expect(page.getByText(`of ${total}`)).toBeVisible();
  const first = page.getByRole('row').nth(1);
  await expect(first).toContainText('model-0');
  // The last row on screen is whole.
  const port = page.getByRole('grid').locator('[role=rowgroup]').last();
  expect(await port.evaluate(({ clientHeight }) => clientHeight % 32)).toBe(0);
  expect(await page.getByRole('row').count()).toBeLessThanOrEqual(61);
  // It is one tab stop: the active row, then the menu of that row alone.
  await expect(page.getByRole('grid').locator('[role=row] button[aria-haspopup]:not([tabindex="-1"])')).toHaveCount(1);

  // To the middle by the scroll bar, and on by the pager.
  await port.evaluate((rows) => {
    rows.scrollTop = rows.scrollHeight / 2;
  });
  await expect(page).toHaveURL(/p=62\d/);
  await expect(page.getByRole('row', { name: /model-1\d{4}/ }).first()).toBeVisible();
  expect(await page.getByRole('row').count()).toBeLessThanOrEqual(61);
  await page.getByRole('button', { name: 'Page 1250' }).click();
  const near = rowOf(page, 'model-24985');
  await expect(near).toBeVisible();
  await page.reload();
  await expect(near).toBeVisible();
  await near.press('End');
  await expect(rowOf(page, 'model-24999')).toBeFocused();

  // To a time, which here is also a row number: the records are a second apart.
  await page.getByRole('button', { name: 'Jump to…' }).click();
  const moment = new Date((now - 12_345) * 1000).toLocaleString('sv-SE');
  await page.getByRole('dialog').getByRole('textbox').fill(moment);
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'model-12345')).toBeVisible();
  await expect(rowOf(page, 'model-24999')).toHaveCount(0);

  // Sorting shows how many records it covers.
  await page.getByRole('button', { name: 'Cost' }).click();
  await expect(page.getByText(/^Sorted within the \d+ rows loaded/)).toBeVisible();
});

test('LOG-07 C79 all matching records are exported by the server as one file', async ({ page, gateway }) => {
  await addLogs(gateway, { count: 1500, until: Math.floor(Date.now() / 1000) });
  await signIn(page, gateway, '/log?range=all&model_name=model-7');
  await expect(rowOf(page, 'model-7')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Export all matching' }).click();
  // One export, which names its time zone and units.
  await expect(page.getByRole('button', { name: /export/i })).toHaveCount(1);
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV: time in UTC, cost in USD' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('logs.csv');
  const lines = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(1501);
  expect(lines[0]).toMatch(/^\uFEFFtime_utc,cost_usd,created_at,/);
  expect(lines[1]).toContain(',model-0,');
});

test('LOG-08 LOG-03 C24 C80 records of every type show its name, and new ones appear by themselves in live mode', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  const root = await gateway.signIn();
  await root.call('GET', '/api/channel/test/1');
  await signIn(page, gateway, '/log');
  await root.call('PUT', '/api/channel/', { id: 1, key: 'sk-wrong' });
  await root.call('GET', '/api/channel/test/1').catch(() => undefined);
  // Tests are left out until they are chosen; their channel is named, and a failed one is not a passed one.
  await expect(page.getByText('No records yet')).toBeVisible();
  await page.getByLabel('Type').selectOption({ label: 'Test' });
  await expect(page).toHaveURL('/log?type=5');
  await expect(rowOf(page, '1 · Local models')).toHaveCount(2);
  await expect(rowOf(page, 'Test failed')).toHaveCount(1);
  await page.getByLabel('Type').selectOption({ label: 'All but tests' });
  await page.getByRole('button', { name: 'Live' }).click();
  await root.call('PUT', '/api/channel/', { id: 1, key: gateway.upstream.key });
  await chat(gateway, key, 'gpt-4o');
  await expect(rowOf(page, 'Consumption')).toHaveCount(1);
  await expect(rowOf(page, 'Test')).toHaveCount(0);
  // A list of one row is as high as that row.
  expect((await page.getByRole('grid').boundingBox())?.height).toBeLessThan(100);
  await page.setViewportSize({ width: 375, height: 812 });
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'root · Production' })).toHaveCount(1);
});

test('LOG-03 records that arrive while the list is scrolled down are shown only after a click', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  await addLogs(gateway, { count: 500, until: Math.floor(Date.now() / 1000) - 60 });
  await signIn(page, gateway, '/log');
  await page.getByRole('button', { name: 'Live' }).click();
  await expect(rowOf(page, 'model-3').first()).toBeVisible();
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 4000);
  await expect(rowOf(page, 'model-3').first()).toBeHidden();
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  const shown = page.getByRole('button', { name: '2 new' });
  await expect(shown).toBeVisible();
  await expect(rowOf(page, 'Production')).toHaveCount(0);
  await shown.click();
  await expect(rowOf(page, 'Production')).toHaveCount(2);
  await expect(rowOf(page, 'Production').first()).toBeInViewport();
  await expect(shown).toHaveCount(0);
});
