import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { violations } from '../support/accessibility.ts';
import { addChannel, chat, prepareRelay, signIn, toast } from '../support/actions.ts';
import { expect, type Gateway, test } from '../support/gateway.ts';

/** Counts every press of a pointer on the page, also after the address has changed. */
const countClicks = async (page: Page): Promise<() => number> => {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.addInitScript(`addEventListener('pointerdown', () => window.countClick(), true)`);
  return () => clicks;
};

const useTokens = (gateway: Gateway) =>
  gateway.upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } }));
const newestCost = async (gateway: Gateway): Promise<number> => {
  const root = await gateway.signIn();
  const [row] = await root.call<{ quota: number }[]>('GET', '/api/log/?type=2');
  return row?.quota ?? -1;
};
const setPrice = async (gateway: Gateway, price: object): Promise<void> => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/prices/own', price);
};

test('C29 a person who knows no ratios changes the price of a model in at most 4 clicks from its log record', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'in-house');
  await setPrice(gateway, { model: 'in-house', card: { rates: { input: '1', output: '2' } } });
  useTokens(gateway);
  await chat(gateway, key, 'in-house');
  expect(await newestCost(gateway)).toBe(600);
  const clicks = await countClicks(page);
  await signIn(page, gateway, '/log');
  await page.getByRole('row').filter({ hasText: 'in-house' }).getByText('in-house').click();
  const record = page.getByRole('region', { name: 'Cost breakdown' });
  await expect(record).toContainText('your own price');
  await expect(record).toContainText('$1.00 input, $2.00 output for 1M tokens');
  await record.getByRole('link', { name: 'Change price' }).click();
  const editor = page.getByRole('dialog', { name: 'in-house' });
  await expect(editor.getByLabel('Input / 1M tokens')).toBeFocused();
  await page.keyboard.type('3');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Price of in-house saved')).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(4);
  expect(clicks()).toBe(3);
  await chat(gateway, key, 'in-house');
  expect(await newestCost(gateway)).toBe(1600);
});

test('C12 R5 a refused call of a model without a price leads an administrator to its editor in one click', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'unheard-of');
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'UnpricedModels', value: 'refuse' });
  useTokens(gateway);
  expect((await chat(gateway, key, 'unheard-of')).status).not.toBe(200);
  // The dashboard says what happens to such calls, and leads to the editor too.
  await signIn(page, gateway, '/dashboard');
  await expect(page.getByText('Models without a price, calls are refused: unheard-of')).toBeVisible();
  await page.getByRole('link', { name: 'Set prices' }).click();
  await expect(page.getByRole('dialog', { name: 'unheard-of' })).toContainText(
    'Its calls are refused until you set one',
  );
  await page.goto('/log?type=20');
  await page.getByRole('row').filter({ hasText: 'unheard-of' }).getByText('unheard-of', { exact: true }).click();
  await page.getByRole('link', { name: 'Set a price' }).click();
  const editor = page.getByRole('dialog', { name: 'unheard-of' });
  await editor.getByRole('checkbox', { name: 'Free' }).check();
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor).toHaveCount(0);
  expect((await chat(gateway, key, 'unheard-of')).status).toBe(200);
  expect(await newestCost(gateway)).toBe(0);
});

test('tiers, hours, scopes, margins and errors of a price; the list price takes its place again', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' });
  await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: '{"in-house":2}' });
  const channel = await addChannel(gateway, { name: 'Local', models: 'in-house', group: 'default,vip' });
  await signIn(page, gateway, '/pricing?price=in-house');
  const editor = page.getByRole('dialog', { name: 'in-house' });
  await expect(editor).toContainText('A model ratio is set for this model');
  await expect(editor.getByLabel('Input / 1M tokens')).toHaveValue('4');
  await editor.getByLabel('Input / 1M tokens').fill('four');
  await editor.getByRole('button', { name: 'Add tier' }).click();
  await editor.getByRole('button', { name: 'Add hours' }).click();
  await editor.getByLabel('× price').fill('half');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor.getByText('Not an amount of dollars').first()).toBeVisible();
  await expect(editor.getByText('A number such as 0.5')).toBeVisible();
  await expect(editor.getByLabel('Input / 1M tokens').first()).toBeFocused();
  await editor.getByLabel('Input / 1M tokens').first().fill('$1,5');
  await editor.getByRole('group', { name: 'Tier 1' }).getByLabel('Input / 1M tokens').fill('3');
  await editor.getByLabel('× price').fill('0.5');
  await editor.getByLabel('Time zone').fill('Asia/Shanghai');
  await editor.getByRole('checkbox', { name: 'Sun' }).uncheck();
  await editor.getByLabel('On channel').selectOption(String(channel));
  await editor.getByLabel('On channel').selectOption('0');
  await editor.getByLabel('Input / 1M tokens').first().fill('1.5');
  await editor.getByLabel('Output / 1M tokens').first().fill('6');
  await editor.getByRole('button', { name: 'Add tier' }).click();
  await editor.getByRole('group', { name: 'Tier 1' }).getByLabel('Input / 1M tokens').fill('3');
  await expect(editor.getByRole('region', { name: 'What groups pay' })).toContainText('× 0.5');
  await expect(editor.getByRole('region', { name: 'What groups pay' })).toContainText('$0.75');
  await expect(editor).toContainText('As ratios: model 0.75, completion 4');
  expect(await violations(page)).toEqual([]);
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /removed so that it counts: ModelRatio in-house/)).toBeVisible();
  const { models } = await root.call<{ models: { own: unknown[]; ratios: unknown }[] }>(
    'GET',
    '/api/prices/models?model=in-house',
  );
  expect(models[0]).toMatchObject({
    ratios: null,
    own: [
      {
        group: '',
        channel: 0,
        card: { rates: { input: '1.5', output: '6' }, tiers: [{ above: 200_000, input: '3' }] },
      },
    ],
  });
  await page.goto('/pricing?price=in-house');
  await expect(editor.getByRole('region', { name: 'Your prices of this model' })).toContainText('long-prompt tiers: 1');
  await editor.getByRole('button', { name: 'Remove this price' }).click();
  await expect(toast(page, 'Own price of in-house removed')).toBeVisible();
});

test('prices of many models are set at once: to one price, by percent, free', async ({ page, gateway }) => {
  await addChannel(gateway, { name: 'Local', models: 'alpha,beta,@cf/gamma' });
  await signIn(page, gateway, '/pricing');
  for (const model of ['alpha', 'beta'])
    await page.getByRole('row').filter({ hasText: model }).getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Change prices' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the prices of 2 models' });
  await dialog.getByRole('button', { name: 'List price × factor' }).click();
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('no list price');
  await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Not an amount of dollars')).toBeVisible();
  await dialog.getByLabel('Input / 1M tokens').fill('2');
  await dialog.getByLabel('Output / 1M tokens').fill('8');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, '2 prices saved')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'alpha' })).toContainText('$8.00');

  // By percent of what counts now; the third has no price.
  await page.getByRole('row').filter({ hasText: '@cf/gamma' }).getByRole('checkbox').check();
  for (const model of ['alpha', 'beta'])
    await page.getByRole('row').filter({ hasText: model }).getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Change prices' }).click();
  const three = page.getByRole('dialog', { name: 'Change the prices of 3 models' });
  await three.getByLabel('Change in percent').fill('-12.5');
  await expect(three.getByRole('region', { name: 'Changes' })).toContainText('$1.75 input, $7.00 output');
  await expect(three.getByRole('region', { name: 'Changes' })).toContainText('@cf/gamma no price');
  await three.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'beta' })).toContainText('$7.00');

  // What was changed stays selected.
  await page.getByRole('row').filter({ hasText: '@cf/gamma' }).getByRole('checkbox').uncheck();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Change prices' }).click();
  await dialog.getByRole('button', { name: 'Free' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, '2 prices saved')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'alpha' })).toContainText('Free');
});

test('prices are exported, and imported with a look at the changes; wrong files are refused by line', async ({
  page,
  gateway,
}) => {
  await addChannel(gateway, { name: 'Local', models: 'alpha,beta,@cf/gamma' });
  for (const model of ['alpha', 'beta'])
    await setPrice(gateway, { model, card: { rates: { input: '0', output: '0' } } });
  await signIn(page, gateway, '/pricing');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export or import prices' }).click();
  await page.getByRole('menuitem', { name: 'Export prices as CSV' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text).toContain("'@cf/gamma");

  await page.getByRole('button', { name: 'Export or import prices' }).click();
  await page.getByRole('menuitem', { name: 'Import prices' }).click();
  const sheet = page.getByRole('dialog', { name: 'Import prices' });
  const open = (content: string) =>
    sheet
      .getByLabel('CSV file')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await open(text);
  await expect(sheet).toContainText('0 changes, 3 lines change nothing');
  await expect(sheet.getByRole('button', { name: 'Apply changes' })).toBeDisabled();
  await open('model,input,output\nalpha,ten,2');
  await expect(sheet).toContainText('Line 2, input: Not an amount of dollars');
  // What only the server knows is told by its line, and nothing of the file is stored.
  await open('model,input,output,channel\nbeta,5,5,\n\nalpha,7,7,4711');
  await sheet.getByRole('button', { name: 'Apply changes' }).click();
  await expect(sheet.getByText('Line 4: channel is not one of the choices')).toBeVisible();
  const root = await gateway.signIn();
  const { models: stored } = await root.call<{ models: { model: string; own: { card: object }[] }[] }>(
    'GET',
    '/api/prices/models?model=beta',
  );
  expect(stored[0]?.own.map(({ card }) => card)).toEqual([{ rates: { input: '0', output: '0' } }]);
  await open(`model,input,output\n${'x'.repeat(5_000_001)},1,1`);
  await expect(sheet.getByText('The file is larger than 5 MB.')).toBeVisible();
  await open("model,input,output\nalpha,0,0\n'@cf/gamma,1.25,10");
  await expect(sheet).toContainText('1 changes, 1 lines change nothing');
  await expect(sheet.getByRole('region', { name: 'Changes' })).toContainText('$1.25 input, $10.00 output');
  await page.mouse.move(0, 0);
  expect(await violations(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Apply changes' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: '@cf/gamma' })).toContainText('$1.25');
});

test('C12 R5 the form of a channel asks for the price of unpriced models, and a local one works at its first call', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'other');
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'UnpricedModels', value: 'refuse' });
  await signIn(page, gateway, '/channel/add');
  await page.getByRole('combobox', { name: 'Type' }).fill('Custom');
  await page.getByRole('option', { name: 'Custom channel' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Own machine');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill(gateway.upstream.key);
  await page.getByRole('textbox', { name: 'Base URL' }).fill(gateway.upstream.url);
  const models = page.getByRole('combobox', { name: 'Offered models' });
  for (const name of ['llama-own', 'mistral-own']) {
    await models.fill(name);
    await models.press('Enter');
  }
  const part = page.getByRole('region', { name: 'Models without a price' });
  await expect(part).toContainText('2 of these models have no price. Their calls are refused.');
  // The server is on this machine.
  await expect(part.getByRole('checkbox', { name: 'llama-own is free' })).toBeChecked();
  await part.getByRole('checkbox', { name: 'mistral-own is free' }).uncheck();
  await part.getByRole('textbox', { name: 'Input $ of mistral-own' }).fill('x');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(part.getByText('Enter dollars, such as 1.25')).toBeVisible();
  await part.getByRole('textbox', { name: 'Input $ of mistral-own' }).fill('2');
  await page.mouse.move(0, 0);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel created/i)).toBeVisible();
  useTokens(gateway);
  expect((await chat(gateway, key, 'llama-own')).status).toBe(200);
  expect(await newestCost(gateway)).toBe(0);
  expect((await chat(gateway, key, 'mistral-own')).status).toBe(200);
  expect(await newestCost(gateway)).toBe(1000);
});
