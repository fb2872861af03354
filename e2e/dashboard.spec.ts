import { addLogs, chat, prepareRelay, signIn } from './support/actions.ts';
import { expect, test } from './support/gateway.ts';

test('LOG-06 the dashboard shows spend, requests and tokens by model and links to their log records', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o-mini');
  const root = await gateway.signIn();
  const soon = Math.floor(Date.now() / 1000) + 86_400;
  await root.call('POST', '/api/token/', { name: 'Short', unlimited_quota: true, expired_time: soon });
  await signIn(page, gateway, '/');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: /^Requests/ })).toContainText('3');
  await expect(main.getByRole('img', { name: /Usage over time/ })).toBeVisible();
  const top = main.getByRole('table');
  await expect(top.getByRole('row').nth(1)).toContainText('gpt-4o');
  await expect(main.getByRole('heading', { name: 'Needs attention' })).toBeVisible();
  await expect(main).toContainText('has never been tested');
  await main.getByRole('button', { name: 'Test: Local models' }).click();
  await expect(main).toContainText('Local models responded in');
  await main.getByRole('button', { name: 'Extend by 30 days: Short' }).click();
  await expect(main).toContainText('Token "Short" now expires');
  await main.getByRole('button', { name: 'Undo' }).click();
  await expect(main).toContainText('Token "Short" expires within 7 days');
  const ledger = main.locator('section', { has: page.getByRole('heading', { name: 'Ledger' }) });
  await expect(ledger).toContainText('Mismatch0');
  await expect(ledger).toContainText('The ledger matches every balance.');

  // The same numbers as a table, grouped by key; the URL holds all of these choices.
  await page.getByLabel('Group by').selectOption({ label: 'Token' });
  await page.getByRole('group', { name: 'Metric' }).getByRole('button', { name: 'Requests' }).click();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.reload();
  const numbers = page.getByRole('region', { name: 'Usage over time as a table' });
  await expect(numbers.getByRole('columnheader', { name: 'Production' })).toBeVisible();
  await expect(numbers.getByRole('row').last()).toContainText('3');
  await page.getByRole('link', { name: 'Production' }).click();
  await expect(page).toHaveURL(/\/log\?.*token_name=Production/);
  await expect(page.getByRole('row')).toHaveCount(4);
});

test('administrators see the usage of all users, by channel and user, with names', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway);
  await chat(gateway, key, 'gpt-4o-mini');
  await addLogs(gateway, { count: 50, until: Math.floor(Date.now() / 1000) });
  await signIn(page, gateway, '/dashboard?all=1&by=channel');
  await expect(page.getByRole('heading', { name: 'Top channels' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Errors, last 24 hours/ })).toContainText('0 %');
  await expect(page.getByRole('link', { name: 'Local models', exact: true })).toBeVisible();
  await page.getByLabel('Group by').selectOption({ label: 'User' });
  await expect(page.getByRole('link', { name: 'root', exact: true })).toBeVisible();
  await page.getByRole('group', { name: 'Scope' }).getByRole('button', { name: 'Me' }).click();
  await expect(page.getByRole('heading', { name: 'Top models' })).toBeVisible();
  expect(new URL(page.url()).search).toBe('?by=user');
});

test('an account without requests is guided to its first one, and a custom period is kept in the URL', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await signIn(page, gateway, '/dashboard');
  const steps = page.locator('section', { has: page.getByRole('heading', { name: 'Your first request' }) });
  await expect(steps).toContainText('Token created');
  await expect(steps.getByRole('status')).toContainText('Waiting for the request');
  await chat(gateway, key, 'gpt-4o-mini');
  await expect(steps.getByRole('status')).toContainText('Received: gpt-4o-mini');
  await steps.getByRole('link', { name: 'Open record' }).click();
  await expect(page.getByRole('region', { name: 'Cost breakdown' })).toBeVisible();

  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /^Requests/ })).toContainText('1');
  await expect(steps).toHaveCount(0);
  await page.getByLabel('Time range').selectOption({ label: 'Custom range…' });
  await page.getByLabel('Start').fill('-3d');
  await page.getByLabel('End').fill('-4d');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('The end is before the start')).toBeVisible();
  await page.getByLabel('End').fill('-2d');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await expect(page.getByText('No requests in this period')).toBeVisible();
});
