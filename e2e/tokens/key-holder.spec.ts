import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('a holder without an account sees what a key may still do', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  const root = await gateway.signIn();
  const budget = { scope: 'token', subject_id: 1, period: 'day', zone: 'UTC', amount: 500_000 };
  await root.call('POST', '/api/budget/', budget);
  await root.call('POST', '/api/rate-limit/', { scope: 'token', metric: 'requests', period: 'minute', amount: 60 });
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);
  await page.goto(gateway.url);
  await page.getByRole('link', { name: 'Check a key' }).click();
  const field = page.getByLabel('Key', { exact: true });
  await field.fill('sk-wrong');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(toast(page, 'This key is not valid')).toBeVisible();
  await field.fill(key);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Production' })).toContainText('Enabled');
  const limits = page.getByRole('region', { name: 'Limits' });
  await expect(limits).toContainText('Budget · Day');
  await expect(limits).toContainText('60 requests per minute');
  await expect(page.getByRole('region', { name: 'Last calls' })).toContainText('gpt-4o');
  expect(await violations(page)).toEqual([]);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
});
