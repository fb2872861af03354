import type { Page } from '@playwright/test';
import { startBillingServer } from '../../server/test/fakes/services/billing-server.ts';
import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('CHAN-14 CHAN-22 C32 the form requires name, key and models before anything is sent, and says once what is missing', async ({
  page,
  gateway,
}) => {
  let posts = 0;
  page.on(
    'request',
    (request) => (posts += request.method() === 'POST' && request.url().includes('/api/channel') ? 1 : 0),
  );
  await signIn(page, gateway, '/channel/add');
  // The default type begins with its models.
  await expect(page.getByRole('button', { name: 'Remove gpt-4o-mini', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('please fill in channel name and channel key')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A channel');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-something');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('please select at least one model')).toHaveCount(1);
  expect(posts).toBe(0);
  await page.getByRole('button', { name: 'Fill basic models' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel created/i)).toBeVisible();
  const root = await gateway.signIn();
  const [channel] = await root.call<{ models: string; group: string; key: string }[]>('GET', '/api/channel/?p=0');
  expect(channel?.group).toBe('default');
  expect(channel?.key).toBe('');
  expect(channel?.models.split(',').every((name) => /^(?:gpt-3|text-)/.test(name))).toBe(true);
});

test('CHAN-15 C32 one channel is made for each line of several keys, with the models that the provider lists', async ({
  page,
  gateway,
}) => {
  const provider = await startBillingServer({
    '/v1/models': { body: { data: [{ id: 'river-2' }, { id: 'river-1' }] } },
  });
  await signIn(page, gateway, '/channel/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Batch');
  await page.getByText('Create one channel per key').last().click();
  await expect(page.getByText('Each line becomes its own channel')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Fetch models from provider' })).toBeDisabled();
  await page.getByRole('textbox', { name: /^Keys?/ }).fill(`${provider.key}\n\nsk-two\nsk-three\n`);
  await page.getByRole('textbox', { name: 'Base URL' }).fill(provider.url);
  await page.getByRole('button', { name: 'Fetch models from provider' }).click();
  // They replace the models of the type.
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('button', { name: /^Remove river/ })).toHaveCount(2);
  await provider.close();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel created/i)).toBeVisible();
  await expect(rowOf(page, 'Batch')).toHaveCount(3);
});

test('CHAN-21 editing with an empty key keeps the stored key', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway);
  await signIn(page, gateway, '/channel/edit/1');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Local models');
  expect(await page.content()).not.toContain(gateway.upstream.key);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel updated/i)).toBeVisible();
  expect((await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);
});

/** Delays the response with the model names of the types until the returned function is called. */
const holdModels = async (page: Page): Promise<() => Promise<void>> => {
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/api/models', async (route) => {
    await held;
    await route.continue();
  });
  return async () => {
    const came = page.waitForResponse('**/api/models');
    goOn();
    await came;
  };
};

test('CHAN-17 CHAN-18 the form shows the fields of a type and hides all others', async ({ page, gateway }) => {
  const release = await holdModels(page);
  await signIn(page, gateway, '/channel/add');
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Type' }).fill(name);
    await page.getByRole('option', { name, exact: true }).click();
  };
  await choose('Azure OpenAI');
  await expect(page.getByRole('textbox', { name: 'Base URL', exact: true })).toHaveCount(0);
  await expect(page.getByText(/API version/).first()).toBeVisible();
  await choose('iFlytek Spark');
  await expect(
    page.getByText('APPID|APISecret|APIKey').or(page.getByPlaceholder('APPID|APISecret|APIKey')).first(),
  ).toBeVisible();
  await choose('Tencent Hunyuan');
  await expect(
    page.getByText('AppId|SecretId|SecretKey').or(page.getByPlaceholder('AppId|SecretId|SecretKey')).first(),
  ).toBeVisible();
  // A type picked before the names were loaded: the models are those of the last pick.
  await release();
  await expect(toast(page, 'Filled with the default models of Tencent Hunyuan')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('Tencent Hunyuan');
  await expect(page.getByRole('button', { name: 'Remove hunyuan-lite' })).toBeVisible();
});

test('R53 the form says that models of a Coze channel are named bot-<id>', async ({ page, gateway }) => {
  await signIn(page, gateway, '/channel/add');
  const hint = page.getByText('Write each model as bot-<id>.');
  await expect(page.getByRole('combobox', { name: 'Offered models' })).toBeVisible();
  await expect(hint).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Type' }).fill('Coze');
  await page.getByRole('option', { name: 'Coze', exact: true }).click();
  await expect(hint).toBeVisible();
});

test('CHAN-13 CHAN-16 CHAN-19 CHAN-20 the form fills models by type and by button, takes own names, groups and a redirect', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' });
  const release = await holdModels(page);
  await signIn(page, gateway, '/channel/add');
  const type = page.getByRole('combobox', { name: 'Type' });
  await type.fill('Moonshot');
  // Typed text is kept when the rest of the form is loaded.
  await release();
  await expect(page.getByRole('button', { name: "Fill this type's models" })).toBeEnabled();
  await expect(type).toHaveValue('Moonshot');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('option', { name: 'Moonshot AI', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, 'Filled with the default models of Moonshot AI')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove moonshot-v1-8k', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: "Fill this type's models" }).click();
  await expect(page.getByRole('button', { name: 'Remove moonshot-v1-8k', exact: true })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('channel_models'))).toContain('moonshot-v1-8k');
  await type.fill('Groq');
  await page.getByRole('option', { name: 'Groq', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove moonshot-v1-8k', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove moonshot-v1-8k', exact: true })).toHaveCount(0);

  const models = page.getByRole('combobox', { name: 'Offered models' });
  await models.fill('my-own-model');
  await models.press('Enter');
  await models.fill('gpt-4o-mini');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('option', { name: 'gpt-4o-mini', exact: true }).click();
  // A name that is already there stays, and a name is taken itself rather than a longer one that contains it.
  for (const name of ['my-own-model', 'gpt-4o-mini']) {
    await models.fill(name);
    await models.press('Enter');
    await expect(page.getByText(`${name} is already chosen`)).toBeVisible();
    await expect(page.getByRole('button', { name: `Remove ${name}`, exact: true })).toBeVisible();
  }
  expect(await violations(page)).toEqual([]);
  await models.fill('gpt-4o');
  await models.press('Enter');
  await expect(page.getByText('is already chosen')).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove gpt-4o', exact: true }).click();
  await page.getByRole('combobox', { name: 'Groups' }).fill('vip');
  await page.getByRole('option', { name: 'vip', exact: true }).click();
  // The first Escape closes the list, the second must not empty the field.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByText('Advanced', { exact: true }).click();
  await page.getByRole('button', { name: 'Insert example' }).click();
  await expect(page.getByRole('textbox', { name: 'Model redirect' })).toHaveValue(/"gpt-4-0314": "gpt-4"/);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Requested model, row 2' })).toHaveValue('gpt-4-0314');
  await page.getByRole('textbox', { name: 'Sent as, row 3' }).fill('o3');
  await page.getByRole('button', { name: 'Remove gpt-3.5-turbo-0301' }).click();
  await page.getByRole('button', { name: 'Add redirect' }).click();
  await page.getByRole('textbox', { name: 'Requested model, row 3' }).fill('fast');
  await page.getByRole('textbox', { name: 'Sent as, row 3' }).fill('gpt-4o-mini');
  // A field half under the page's bar counts as too small a target, so scroll the groups clear of it first.
  const groups = page.getByRole('combobox', { name: 'Groups' });
  await groups.evaluate((field) => scrollBy(0, field.getBoundingClientRect().top - 100));
  expect(await violations(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Formed');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-formed');
  await page.getByRole('textbox', { name: 'Base URL' }).fill('http://127.0.0.1:9/openai/');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel created/i)).toBeVisible();
  const [channel] = await root.call<Record<string, unknown>[]>('GET', '/api/channel/?p=0');
  expect(channel).toMatchObject({
    type: 29,
    name: 'Formed',
    models: 'my-own-model,gpt-4o-mini',
    group: 'default,vip',
    base_url: 'http://127.0.0.1:9/openai',
  });
  expect(JSON.parse(String(channel?.['model_mapping']))).toEqual({
    'gpt-4-0314': 'gpt-4',
    'gpt-4-32k-0314': 'o3',
    fast: 'gpt-4o-mini',
  });
});
