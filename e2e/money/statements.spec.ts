import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('C18 a user reads, prints and downloads the month, and an administrator that of a user', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);
  const root = await gateway.signIn();
  await root.call('POST', '/api/user/', { username: 'ada', password: 'correct horse 9' });
  await root.call('PUT', '/api/user/', { id: 2, username: 'ada', quota: 1_000_000 });

  await signIn(page, gateway, '/statement');
  const models = page.getByRole('table', { name: 'Usage by model' });
  await expect(models.getByRole('row', { name: /gpt-4o 1 / })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Usage by day' }).getByRole('row')).toHaveCount(2);
  expect(await violations(page)).toEqual([]);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^statement-1-\d{4}-\d\d\.csv$/);
  // Paper has the figures and none of the controls.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(models).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  const month = page.getByRole('combobox', { name: 'Month' });
  const earlier = await month.locator('option').nth(1).getAttribute('value');
  await month.selectOption(earlier);
  await expect(page).toHaveURL(new RegExp(`month=${String(earlier)}`));
  await expect(page.getByText('No usage in this month.')).toBeVisible();

  await page.goto('/user');
  await page.getByRole('button', { name: 'Actions: ada' }).click();
  await page.getByRole('menuitem', { name: 'Account statement' }).click();
  await expect(page.getByText('ada', { exact: true })).toBeVisible();
  const credits = page.getByRole('table', { name: 'Top-ups and corrections' });
  await expect(credits.getByRole('row').nth(1)).toContainText('2.00');
});
