import { violations } from '../support/accessibility.ts';
import { rowOf, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('N1 shows the node with its load, and renews it', async ({ page, gateway }) => {
  await signIn(page, gateway, '/node');
  const row = rowOf(page, 'main');
  await expect(row).toContainText('Running');
  await expect(row).toContainText('answers this page');
  await expect(row).toContainText('MiB');
  expect(await violations(page)).toEqual([]);
  const renewed = page.waitForResponse((response) => response.url().endsWith('/api/node/'));
  await renewed;
  await page.getByRole('searchbox').fill('another');
  await expect(page.getByText('No nodes match')).toBeVisible();
});
