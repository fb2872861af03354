import { chat, prepareRelay, rowOf, signIn } from './actions.ts';
import { expect, test } from './gateway.ts';

test('LOG-03 LOG-02 a relayed request shows in the log with its tokens and cost, and in the total on click', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);
  expect((await chat(gateway, key, 'gpt-4o-mini', true)).status).toBe(200);
  const root = await gateway.signIn();
  const logs = await root.call<{ model_name: string; quota: number }[]>('GET', '/api/log/?p=0');
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
});

test('LOG-01 LOG-05 filters reach the server and live in the address', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o-mini');
  await signIn(page, gateway, '/log');
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Model name' }).fill('gpt-4o');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/gpt-4o/);
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Type').selectOption({ label: 'Management' });
  await expect(page.getByRole('row').filter({ hasText: 'gpt-4o' })).toHaveCount(0);
});
