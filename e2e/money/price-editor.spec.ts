import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { violations } from '../support/accessibility.ts';
import { addChannel, chat, prepareRelay, signIn, toast } from '../support/actions.ts';
import { expect, type Gateway, test } from '../support/gateway.ts';

/** Puts a list price in force, as an approved price book does. */
const listPrice = async (gateway: Gateway, model: string, price: object): Promise<void> => {
  const book = { name: 'test', entries: [{ vendor: 'openai', model, mode: 'chat', from: '2026-01-01', price }] };
  const file = new DatabaseSync(join(gateway.dataDir, 'weir.db'));
  file.exec('pragma busy_timeout = 10000');
  file
    .prepare("insert into price_books (name, source, content, actor_id, created_at) values ('test', 'test', ?, 0, 1)")
    .run(JSON.stringify(book));
  file.close();
  // Prices are read again with the next change of one.
  const root = await gateway.signIn();
  await root.call('PUT', '/api/prices/own', { model: 'other', card: { rates: { input: '1', output: '1' } } });
};

const ownOf = async (gateway: Gateway, model: string) => {
  const root = await gateway.signIn();
  const { models } = await root.call<{
    models: { own: { group: string; channel: number; from: number; card: object }[] }[];
  }>('GET', `/api/prices/models?model=${model}`);
  return models[0]?.own ?? [];
};

test('a price is set beside its list price: cached, by the piece, by volume; then for a group and channel, and from a date', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' });
  const key = await prepareRelay(gateway, 'gpt-4.1');
  await listPrice(gateway, 'gpt-4.1', { rates: { input: '2', output: '8', cache_read: '0.5' } });
  await signIn(page, gateway, '/pricing?price=gpt-4.1');
  const editor = page.getByRole('dialog', { name: 'gpt-4.1' });
  await expect(editor.getByLabel('Input / 1M tokens')).toHaveValue('2');
  await expect(editor.getByLabel('Cached input')).toHaveValue('0.5');
  await expect(editor.getByText('list $2.00 · ±0%')).toBeVisible();
  await editor.getByLabel('Input / 1M tokens').fill('2.5');
  await expect(editor.getByText('list $2.00 · +25%')).toBeVisible();
  await expect(editor.getByRole('row', { name: /vip/ })).toContainText('$1.25 (−37.5%)');
  await editor.getByLabel('Cached input').fill('0.25');
  await editor.getByText('More: audio, images, reasoning, per piece').click();
  for (const [unit, amount] of [
    ['Each image', '0.04'],
    ['Each second of audio', '0.0001'],
    ['Each character of speech', '0.000015'],
    ['Each search', '0.01'],
  ] as const)
    await editor.getByLabel(unit).fill(amount);
  await editor.getByRole('button', { name: 'Add step' }).click();
  await editor.getByLabel('Time zone of the month').fill('Asia/Shanghai');
  const step = editor.getByRole('group', { name: 'Volume 1' });
  await step.getByLabel('Above this many tokens of the account').fill('none');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(step.getByText('Enter a whole number of tokens')).toBeVisible();
  await step.getByLabel('Above this many tokens of the account').fill('1,000,000');
  await step.getByLabel('× price').fill('0.9');
  await page.mouse.move(0, 0);
  expect(await violations(page)).toEqual([]);
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Price of gpt-4.1 saved')).toBeVisible();
  await expect(editor).toHaveCount(0);
  expect(await ownOf(gateway, 'gpt-4.1')).toMatchObject([
    {
      group: '',
      channel: 0,
      card: {
        rates: { input: '2.5', output: '8', cache_read: '0.25' },
        units: { image: '0.04', second: '0.0001', character: '0.000015', search: '0.01' },
        volume: { zone: 'Asia/Shanghai', steps: [{ above: 1_000_000, factor: '0.9' }] },
      },
    },
  ]);

  // Another price for one group on one channel, and one that begins later.
  await page.goto('/pricing?price=gpt-4.1');
  await editor.getByLabel('For group').selectOption('vip');
  await editor.getByLabel('On channel').selectOption('Local models (1)');
  await editor.getByLabel('Input / 1M tokens').fill('1');
  await expect(editor.getByRole('row', { name: /vip/ })).toContainText('$1.00 (−50%)');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor).toHaveCount(0);
  await page.goto('/pricing?price=gpt-4.1');
  await editor.getByRole('checkbox', { name: 'Free' }).check();
  await editor.getByLabel('Starts').fill('soon');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor.getByText('Not a time', { exact: true })).toBeVisible();
  await editor.getByLabel('Starts').fill('2090-01-01 00:00');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor).toHaveCount(0);
  const scopes = (await ownOf(gateway, 'gpt-4.1')).map(({ group, channel }) => `${group} ${channel}`);
  expect(new Set(scopes)).toEqual(new Set([' 0', 'vip 1']));
  expect(scopes).toHaveLength(3);
  gateway.upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 } }));
  await chat(gateway, key, 'gpt-4.1');

  // Each is removed alone, then the list price counts again.
  await page.goto('/pricing?price=gpt-4.1');
  const all = editor.getByRole('region', { name: 'Your prices of this model' });
  await expect(all.getByRole('listitem')).toHaveCount(3);
  await all.getByRole('button', { name: /^Remove: All groups · All channels from 2090/ }).click();
  await expect(all.getByRole('listitem')).toHaveCount(2);
  await all.getByRole('button', { name: /^Remove: vip/ }).click();
  await expect(all.getByRole('listitem')).toHaveCount(1);
  await editor.getByRole('button', { name: 'Use the list price' }).click();
  await expect(toast(page, 'Own price of gpt-4.1 removed')).toBeVisible();
  expect(await ownOf(gateway, 'gpt-4.1')).toEqual([]);
  await expect(page.getByRole('row').filter({ hasText: 'gpt-4.1' })).toContainText(/\$2\.00.*\$8\.00/);

  // The raw form is still there, and what it sets counts before prices.
  await page.goto('/setting?tab=operation');
  await expect(page.getByRole('textbox', { name: 'Model ratio', exact: true })).toBeVisible();
});

test('ordinary users see what their group pays: tiers, hours, volume, pieces, and models without a price, on a phone too', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":0.5}' });
  await root.call('PUT', '/api/option/', { key: 'UnpricedModels', value: 'refuse' });
  await addChannel(gateway, { name: 'Local', models: 'carded,pictures,brand-new' });
  const zone = 'Asia/Shanghai';
  const card = {
    rates: { input: '2', output: '8', cache_read: '0.5' },
    tiers: [{ above: 200_000, input: '4', output: '12' }],
    hours: { zone, windows: [{ days: [6, 7], from: '00:00', to: '24:00', factor: '0.5' }] },
    volume: { zone, steps: [{ above: 1_000_000, factor: '0.9' }] },
  };
  await root.call('PUT', '/api/prices/own', { model: 'carded', card });
  await root.call('PUT', '/api/prices/own', { model: 'pictures', card: { units: { image: '0.04' } } });
  await root.call('POST', '/api/user/', { username: 'mia', password: 'password-of-mia', display_name: 'Mia' });
  const account = { username: 'mia', password: 'password-of-mia' };
  await signIn(page, gateway, '/pricing', account);
  const row = (model: string) => page.getByRole('row').filter({ hasText: model });
  await expect(row('carded')).toContainText(/\$1\.00.*\$0\.25.*\$4\.00.*by prompt length · by hour · by volume/);
  await expect(row('pictures')).toContainText('$0.02 per image');
  await expect(row('brand-new')).toContainText('no price set');
  await expect(row('brand-new')).not.toContainText('$');
  for (const name of ['Export or import prices', 'Change the price of carded'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await row('carded').getByText('carded', { exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Compare costs' });
  await expect(sheet).toContainText('Prompts above 200,000 tokens', { ignoreCase: true });
  await expect(sheet).toContainText('$2.00 input, $6.00 output per 1M tokens · Cached input $0.50');
  await expect(sheet).toContainText('× 0.5 from 00:00 to 24:00 on Sat, Sun');
  await expect(sheet).toContainText('× 0.9 after 1,000,000 tokens in a month');
  expect(await violations(page)).toEqual([]);
  await page.goto('/pricing?price=carded');
  await expect(row('carded')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.setViewportSize({ width: 375, height: 800 });
  await expect(page.getByRole('main')).toContainText('$0.02 per image');
  await expect(page.getByRole('main')).toContainText('by prompt length · by hour · by volume');
  await expect(page.getByRole('main')).toContainText('no price set');
  expect(await violations(page)).toEqual([]);
});
