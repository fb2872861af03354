import { readFile } from 'node:fs/promises';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

const long = 'anthropic.claude-very-long-model-name-with-every-suffix-and-a-region-and-another-word-preview';

test("an imported report shows the vendor's figures beside ours, and what did not pass through Weir is flagged", async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  expect((await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);
  const root = await gateway.signIn();
  const [call] = await root.call<{ prompt_tokens: number; completion_tokens: number }[]>('GET', '/api/log/?p=0&type=2');
  const today = new Date().toISOString().slice(0, 10);
  const report = [
    'date,model,requests,input_tokens,output_tokens,cost_usd',
    `${today},gpt-4o-mini-2024-07-18,1,${call?.prompt_tokens},${call?.completion_tokens},0.00000765`,
    `${today},${long},7,123456789012,98765432,1234567.125`,
  ].join('\n');
  const choose = (name: string, text: string) =>
    page.getByLabel('Report', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  await signIn(page, gateway, '/dashboard');
  await page.getByRole('link', { name: /What vendors bill/ }).click();
  await expect(page.getByText('Nothing to compare')).toBeVisible();
  await page.getByRole('link', { name: 'Import a bill' }).first().click();
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(page.getByText('Choose a file')).toBeVisible();
  await choose('broken.csv', `date,model,requests\n${today},a,many`);
  await expect(page.getByText('line 2: requests must be a whole number')).toBeVisible();
  await choose('report.csv', report);
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('2 rows, 2 days and models');
  await page.getByLabel('Vendor', { exact: true }).last().selectOption('Custom channel');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(toast(page, '2 lines imported')).toBeVisible();

  await expect(rowOf(page, 'gpt-4o-mini')).toContainText('Equal');
  const around = rowOf(page, 'another-word-preview');
  await expect(around).toContainText('Not through Weir');
  await expect(around).toContainText('$1,234,567.125');
  await expect(page.getByText('1 flagged')).toBeVisible();
  await page.getByLabel('Shown days').selectOption('Only flagged');
  await expect(rowOf(page, 'gpt-4o-mini')).toHaveCount(0);
  await expect(around).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /export/i })
      .first()
      .click(),
  ]);
  const exported = await readFile(await file.path(), 'utf8');
  expect(exported).toContain('only_theirs');
  expect(exported).not.toContain('equal');

  await page.getByRole('link', { name: 'Import a bill' }).first().click();
  await page.getByRole('button', { name: /^Delete Custom channel/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Nothing to compare')).toBeVisible();
});

test('the palette leads to the bills, and an admin key is asked for where a vendor has an interface', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/dashboard');
  await page.getByRole('button', { name: /^Search and commands/ }).click();
  await page.getByRole('dialog').getByRole('combobox').fill('bills');
  await page.getByRole('option', { name: "Vendors' bills" }).click();
  await page.getByRole('link', { name: 'Import a bill' }).first().click();
  await page.getByRole('button', { name: 'Fetch with a key' }).click();
  await page.getByRole('button', { name: 'Fetch', exact: true }).click();
  await expect(page.getByText('Enter a key')).toBeVisible();
  await expect(page.getByLabel('Admin key', { exact: true })).toHaveAttribute('type', 'password');
});
