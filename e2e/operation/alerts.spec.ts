import { createServer } from 'node:http';
import { addChannel, prepareRelay, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('an administrator adds a destination, tests it, adds a rule, and changes and deletes both', async ({
  page,
  gateway,
}) => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await prepareRelay(gateway);
  await addChannel(gateway, { name: 'Spare', base_url: 'http://127.0.0.1:9', models: 'gpt-4o', priority: 0 });

  await signIn(page, gateway, '/alert');
  await expect(page.getByText('No alerts')).toBeVisible();
  await page.getByRole('button', { name: 'Destinations' }).click();
  await expect(page.getByText('No destinations yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add destination' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Enter a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('On call');
  await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(toast(page, 'secret is missing')).toBeVisible();
  await dialog.getByLabel('Signing secret').fill('a signing secret');
  await dialog.locator('label').filter({ hasText: 'Quiet hours' }).first().click();
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(`Webhook · 127.0.0.1:${port} · Quiet 22:00–07:00 Europe/Berlin`)).toBeVisible();
  await page.getByRole('button', { name: 'Send a test message to On call' }).click();
  await expect(toast(page, 'The test message was delivered to On call')).toBeVisible();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^msg_[0-9a-f]{32}$/);

  await page.getByRole('button', { name: 'Rules' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await dialog.getByLabel('Name').fill('Many failures');
  await dialog.getByLabel('Failed attempts from (percent)').fill('101');
  await dialog.getByLabel('On call').check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Enter a whole number from 1 to 100')).toBeVisible();
  await dialog.getByLabel('Failed attempts from (percent)').fill('40');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Error rate of a channel · On call')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Many failures' }).click();
  await dialog.getByLabel('Severity').selectOption('Critical');
  await dialog.getByText('Enabled', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'Many failures' })).toContainText('Disabled');
  await page.getByRole('button', { name: 'Delete Many failures' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No rules yet')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Destinations' }).click();
  await page.getByRole('button', { name: 'Delete On call' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No destinations yet')).toBeVisible();
  server.close();
});
