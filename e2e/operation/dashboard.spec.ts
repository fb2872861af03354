import { addChannel, addLogs, chat, prepareRelay, rowOf, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('LOG-06 C37 C68 C10 the dashboard shows usage and refused calls, and its chart and names lead to their records', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o-mini');
  expect((await chat(gateway, key, 'unlisted')).status).toBe(503);
  const root = await gateway.signIn();
  await expect.poll(() => root.call('GET', '/api/usage/self')).toMatchObject({ refused: 1 });
  const soon = Math.floor(Date.now() / 1000) + 86_400;
  await root.call('POST', '/api/token/', { name: 'Short', unlimited_quota: true, expired_time: soon });
  await signIn(page, gateway, '/');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  const main = page.getByRole('main');
  await page.getByRole('group', { name: 'Scope' }).getByRole('button', { name: 'Me' }).click();
  await expect(main.getByRole('link', { name: /^Requests/ })).toContainText('3');
  await expect(main.getByRole('img', { name: /Usage over time/ })).toBeVisible();
  const refused = main.getByRole('link', { name: 'Refused calls in this period: 1' });
  await expect(refused).toHaveAttribute('href', /^\/log\?.*username=root.*type=20/);
  const top = main.getByRole('table');
  await expect(top.getByRole('row').nth(1)).toContainText('gpt-4o');
  await expect(main.getByRole('heading', { name: 'Needs attention' })).toBeVisible();
  await expect(main).toContainText('has never been tested');
  await main.getByRole('button', { name: 'Test: Local models' }).click();
  await expect(main).toContainText('Local models responded in');
  await main.getByRole('button', { name: 'Extend by 30 days: Short' }).click();
  await expect(main).toContainText('Token “Short” now expires');
  await main.getByRole('button', { name: 'Undo' }).click();
  await expect(main).toContainText('Token “Short” expires within 7 days');
  // The ledger matches every balance: no alert and no card.
  await expect(main.getByRole('heading', { name: 'Ledger' })).toHaveCount(0);

  // The part of today's bar that is the larger model leads to its records of today.
  const chart = main.getByRole('img', { name: /Usage over time/ });
  const box = await chart.boundingBox();
  const axis = 72;
  const x = axis + ((box?.width ?? 0) - axis) * (6.5 / 7);
  await chart.hover({ position: { x, y: 120 } });
  await expect(main.getByText('Total', { exact: true })).toBeVisible();
  await chart.click({ position: { x, y: 120 } });
  await expect(page).toHaveURL(/\/log\?model_name=gpt-4o&start_timestamp=\d+&end_timestamp=\d+$/);
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.goBack();

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

test('C11 C23 administrators see the usage of all users at first, by channel and user, with names', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await chat(gateway, key, 'gpt-4o-mini');
  await addLogs(gateway, { count: 50, until: Math.floor(Date.now() / 1000) });
  const root = await gateway.signIn();
  await root.call('PUT', '/api/user/', { id: 1, quota: 500_000_000_000_000 });
  await signIn(page, gateway, '/dashboard?by=channel');
  await expect(page.getByRole('heading', { name: 'Top channels' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Errors, last 24 hours/ })).toContainText('0%');
  await expect(page.getByRole('link', { name: 'Local models', exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'User' });
  await expect(page.getByRole('link', { name: 'root', exact: true })).toBeVisible();
  await page.getByRole('group', { name: 'Scope' }).getByRole('button', { name: 'Me' }).click();
  await expect(page.getByRole('heading', { name: 'Top models' })).toBeVisible();
  expect(new URL(page.url()).search).toBe('?by=user&all=0');

  // The balance is one's own, and as large as it is on one line.
  const main = page.getByRole('main');
  const balance = main.getByText('Balance', { exact: true });
  await expect(balance).toBeVisible();
  await page.setViewportSize({ width: 320, height: 800 });
  const large = main.getByText('$1,000,000,000.00', { exact: true });
  await expect(large).toBeVisible();
  const [width, room, height] = await large.evaluate((text) => [
    text.getBoundingClientRect().width,
    text.closest('div')?.clientWidth ?? 0,
    text.getBoundingClientRect().height,
  ]);
  expect(width).toBeLessThan(room);
  expect(height).toBeLessThan(30);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('group', { name: 'Scope' }).getByRole('button', { name: 'Everyone' }).click();
  await expect(page.getByRole('link', { name: /^Errors, last 24 hours/ })).toBeVisible();
  await expect(balance).toHaveCount(0);
});

test('C9 the first steps lead from a provider to the first answered call, and show why a try failed', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/dashboard');
  const steps = page.locator('section', { has: page.getByRole('heading', { name: 'First steps' }) });
  const provider = steps.getByRole('form', { name: 'Add a provider' });
  await provider.getByLabel('Type').selectOption({ label: 'Custom channel' });
  await provider.getByLabel('Base URL').fill(gateway.upstream.url);
  await provider.getByLabel('Key', { exact: true }).fill('wrong');
  await provider.getByRole('button', { name: 'Add and test' }).click();
  await expect(provider.getByRole('status')).toContainText('Test failed:');
  await provider.getByLabel('Key', { exact: true }).fill(gateway.upstream.key);
  await provider.getByRole('button', { name: 'Save and test again' }).click();
  await expect(steps).toContainText('responds');
  await steps.getByRole('button', { name: 'Create a token' }).click();
  await expect(steps).toContainText('Token created');
  await steps.getByLabel('Model', { exact: true }).selectOption('gpt-4o-mini');
  await expect(steps).toContainText('"model": "gpt-4o-mini"');

  gateway.upstream.behave(() => ({ status: 400, body: '{"error":{"message":"no such picture"}}' }));
  await steps.getByRole('button', { name: 'Send from here' }).click();
  await expect(steps.getByRole('alert')).toContainText('no such picture');
  gateway.upstream.behave(() => undefined);
  await steps.getByRole('button', { name: 'Send from here' }).click();
  await expect(steps.getByRole('status')).toContainText('Received: gpt-4o-mini');
  await steps.getByRole('link', { name: 'Open record' }).click();
  await expect(page.getByRole('region', { name: 'Cost breakdown' })).toBeVisible();

  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /^Requests/ })).toContainText('1');
  await expect(steps).toHaveCount(0);

  // A custom period is kept in the URL.
  await page.getByLabel('Time range').selectOption({ label: 'Custom range…' });
  await page.getByLabel('Start', { exact: true }).fill('-3d');
  await page.getByLabel('End', { exact: true }).fill('-4d');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('The end is before the start')).toBeVisible();
  await page.getByLabel('End', { exact: true }).fill('-2d');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await expect(page.getByText('No requests in this period')).toBeVisible();
});

test('C13 a channel on which attempts fail raises an alert, and the error rate leads to it', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,without-price');
  await addChannel(gateway, { name: 'Works', models: 'other' });
  gateway.upstream.behave(() => ({ status: 500, body: '{"error":{"message":"broken"}}' }));
  for (let call = 0; call < 6; call += 1) await chat(gateway, key, 'gpt-4o-mini');
  await signIn(page, gateway, '/dashboard');
  const main = page.getByRole('main');
  await expect(main).toContainText('Models without a price, calls are refused: other, without-price');
  await expect(main).toContainText(/Channel Local models: (\d+) of \1 attempts failed in the last hour/);
  await main.getByRole('button', { name: 'Disable: Local models' }).click();
  await expect(main).toContainText('Local models is disabled');
  await main.getByRole('link', { name: /^Errors, last 24 hours/ }).click();
  await expect(page).toHaveURL('/channel?view=failing');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(rowOf(page, 'Local models')).toContainText('0%');
});
