import { openAiLists, startModelLists } from '../../server/test/fakes/vendors/fake-model-lists.ts';
import { violations } from '../support/accessibility.ts';
import { signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

const listed = ['gpt-4o', 'gpt-5.5', 'river-1'];

test('C32 the models of a provider are compared with those that a channel offers, and some are taken over', async ({
  page,
  gateway,
}, info) => {
  const data = listed.map((id) => ({ id, object: 'model' }));
  const provider = await startModelLists({ ...openAiLists, pages: { '/v1/models': { data } } });
  const root = await gateway.signIn();
  const models = 'gpt-4o,gpt-4-0314,gpt-image-1.5';
  await root.call('POST', '/api/channel/', {
    name: 'Local',
    type: 1,
    key: provider.key,
    base_url: provider.url,
    models,
  });
  await signIn(page, gateway, '/channel/edit/1');
  await page.getByRole('button', { name: 'Fetch models from provider' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByRole('heading', { name: 'New at the provider' })).toBeVisible();
  const isNew = sheet.getByRole('region', { name: 'New at the provider' });
  await expect(isNew.getByRole('listitem').filter({ hasText: 'gpt-5.5' })).toContainText('1.05M context');
  await expect(isNew.getByRole('listitem').filter({ hasText: 'river-1' })).toContainText('No price');
  const gone = sheet.getByRole('region', { name: 'Offered, but not listed by the provider' });
  await expect(gone.getByRole('listitem')).toHaveCount(2);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await violations(page)).toEqual([]);
  }
  for (const width of [1440, 768, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await sheet.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(overflow, String(width)).toBeLessThanOrEqual(0);
    await page.screenshot({ path: info.outputPath(`fetched-${width}.png`) });
  }
  // By the keyboard alone.
  await isNew.getByRole('checkbox', { name: 'gpt-5.5' }).focus();
  await page.keyboard.press('Space');
  await gone.getByRole('button', { name: /^Remove all/ }).focus();
  await page.keyboard.press('Enter');
  await expect(sheet.getByText('1 added, 2 removed')).toBeVisible();
  await sheet.getByRole('button', { name: 'Apply' }).click();
  await expect(sheet).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel updated/i)).toBeVisible();
  const [channel] = await root.call<{ models: string }[]>('GET', '/api/channel/?p=0');
  expect(channel?.models).toBe('gpt-4o,gpt-5.5');
  await provider.close();
});

test('C32 the error of a provider is shown, and nothing changes', async ({ page, gateway }) => {
  const provider = await startModelLists(openAiLists);
  await signIn(page, gateway, '/channel/add');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-wrong');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(provider.url);
  await page.getByRole('button', { name: 'Fetch models from provider' }).click();
  await expect(toast(page, /The provider refuses the key: status code: 401/)).toBeVisible();
  await provider.close();
});

test('models that their vendor ends need attention, and the form of the channel replaces them', async ({
  page,
  gateway,
}, info) => {
  const root = await gateway.signIn();
  const models = 'claude-3-sonnet@20240229,claude-opus-5-5';
  await root.call('POST', '/api/channel/', { name: 'Vertex', type: 42, key: 'k', models });
  await root.call('POST', '/api/channel/', { name: 'Claude', type: 14, key: 'k', models: 'claude-sonnet-4-5' });
  const retiring = await root.call<{ name: string; models: { model: string }[] }[]>('GET', '/api/channel/retiring');
  expect(retiring.map(({ name }) => name)).toContain('Claude');
  await signIn(page, gateway, '/dashboard');
  const line = page.getByRole('listitem').filter({ hasText: 'Channel Claude offers a model that its vendor ends' });
  await expect(line).toContainText('claude-sonnet-4-5 (2026-11-30). Later version: claude-sonnet-5-5');
  await line.getByRole('link', { name: /^Change models/ }).click();
  await expect(page.getByText('claude-sonnet-4-5', { exact: true }).last()).toBeVisible();
  await page.screenshot({ path: info.outputPath('retiring.png'), fullPage: true });
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Replace with claude-sonnet-5-5: claude-sonnet-4-5' }).click();
  await expect(page.getByRole('region', { name: 'Ending models' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel updated/i)).toBeVisible();
  const channels = await root.call<{ name: string; models: string }[]>('GET', '/api/channel/?p=0');
  expect(channels.find(({ name }) => name === 'Claude')?.models).toBe('claude-sonnet-5-5');
});

test('the price list shows context, output, abilities and the end of models, in a table and on cards', async ({
  page,
  gateway,
}, info) => {
  const root = await gateway.signIn();
  await root.call('POST', '/api/channel/', { name: 'Claude', type: 14, key: 'k', models: 'claude-sonnet-4-5,own' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, gateway, '/pricing');
  const row = page.getByRole('row').filter({ hasText: 'claude-sonnet-4-5' });
  for (const text of ['200k', '64k', 'tools, images, reasoning', '2026-11-30']) await expect(row).toContainText(text);
  await page.screenshot({ path: info.outputPath('pricing-1440.png') });
  expect(await violations(page)).toEqual([]);
  for (const width of [1024, 375, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, String(width)).toBeLessThanOrEqual(0);
    await page.screenshot({ path: info.outputPath(`pricing-${width}.png`) });
  }
  await expect(page.getByText(/200k context · 64k output · tools/)).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
