import { addChannel, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('the price list shows the prices of a group for each model, cached and per image, and compares costs', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  const option = (key: string, value: unknown) =>
    root.call('PUT', '/api/option/', { key, value: JSON.stringify(value) });
  await option('ModelRatio', { 'gpt-4o': 1.25, 'dall-e-3': 20, 'in-house': 0.5 });
  await option('CompletionRatio', { 'gpt-4o': 4, 'in-house': 2 });
  await option('GroupRatio', { default: 1, vip: 0.5 });
  await option('PartRatio', { 'gpt-4o:cache_read': 0.5 });
  await addChannel(gateway, { name: 'One', models: 'gpt-4o,dall-e-3,in-house', group: 'default,vip' });
  await addChannel(gateway, { name: 'Two', models: 'gpt-4o', model_mapping: '{"gpt-4o":"in-house"}' });

  await signIn(page, gateway);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Models and prices' }).click();
  const table = page.getByRole('table');
  const row = (model: string) => table.getByRole('row').filter({ hasText: model });
  await expect(row('in-house')).toContainText('$1.00');
  await expect(row('in-house')).toContainText('$2.00');
  await expect(row('dall-e-3')).toContainText('$0.04 per image');
  await expect(row('gpt-4o')).toContainText('2 prices');

  // Another group, by the URL; then the search.
  await page.getByLabel('Prices for group').selectOption('vip');
  await expect(row('in-house')).toContainText('$0.50');
  await expect(row('gpt-4o')).toContainText(/\$1\.25.*\$0\.625.*\$5\.00/);
  await page.getByRole('searchbox', { name: 'Search models' }).fill('GPT');
  await expect(row('in-house')).toHaveCount(0);
  await page.reload();
  await expect(row('gpt-4o')).toContainText('$0.625');

  // The same usage with two models, side by side.
  await row('gpt-4o').getByText('gpt-4o', { exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Compare costs' });
  await sheet.getByRole('combobox', { name: 'Add a model to compare' }).selectOption('in-house');
  await sheet.getByLabel('Input tokens').fill('2000');
  await sheet.getByLabel('Output tokens').fill('1000');
  await sheet.getByLabel('Requests').fill('10');
  await expect(sheet.getByRole('region', { name: 'gpt-4o' })).toContainText('$0.075');
  await expect(sheet.getByRole('region', { name: 'in-house' })).toContainText('$0.02');
  await sheet.getByRole('button', { name: 'Remove gpt-4o' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/pricing\?(?!.*compare).*group=vip/);

  // A model without a price: its price is one click away.
  await addChannel(gateway, { name: 'Three', models: 'brand-new' });
  await page.goto('/pricing');
  // It comes first.
  await expect(table.getByRole('row').nth(1)).toContainText('brand-new');
  await row('brand-new').getByRole('link', { name: 'Set price' }).click();
  const editor = page.getByRole('dialog', { name: 'brand-new' });
  await expect(editor.getByText('This model has no price')).toBeVisible();
  await page.keyboard.type('0.15');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor).toHaveCount(0);
  await expect(row('brand-new')).toContainText('$0.15');
  await expect(row('brand-new')).not.toContainText('no price set');
});
