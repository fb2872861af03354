import { readFile } from 'node:fs/promises';
import { violations } from '../support/accessibility.ts';
import { addChannel, approvePrices, chat, prepareRelay, rowOf, signIn } from '../support/actions.ts';
import { clippedParts } from '../support/clipped-parts.ts';
import { expect, type Gateway, test } from '../support/gateway.ts';

const long = 'anthropic.claude-very-long-model-name-with-every-suffix-and-a-region-and-another-word-preview';
const rates = (input: string, output: string) => ({ rates: { input, output } });

/** Calls of 100,000 and 1,000 tokens: with a margin, with a loss, of unknown cost, and of millions of dollars. */
const furnish = async (gateway: Gateway): Promise<void> => {
  const models = ['gpt-4o-mini', 'loss-maker', 'in-house', long];
  const key = await prepareRelay(gateway, models.join(','));
  await approvePrices(gateway, {
    'gpt-4o-mini': rates('2', '8'),
    'loss-maker': rates('2', '8'),
    [long]: rates('79999999.123456789', '1'),
  });
  const root = await gateway.signIn();
  const own = [rates('3', '12'), rates('1', '4'), rates('1', '1'), rates('90000000', '1')];
  for (const [index, model] of models.entries()) await root.call('PUT', '/api/prices/own', { model, card: own[index] });
  await root.call('PUT', '/api/user/', { id: 1, username: 'root', quota: 900_000_000_000_000 });
  gateway.upstream.behave(() => ({
    usage: { prompt_tokens: 100_000, completion_tokens: 1000, total_tokens: 101_000 },
  }));
  for (const model of models) expect((await chat(gateway, key, model)).status).toBe(200);
};

test('C18 an administrator sees what calls brought in, cost and left: on the dashboard, in the report and in a record', async ({
  page,
  gateway,
}) => {
  await furnish(gateway);
  await signIn(page, gateway, '/dashboard');
  const card = page.getByRole('region', { name: 'Revenue and cost' });
  await expect(card).toContainText('Cost unknown for <1% of the revenue');
  const lineOf = (name: string) => card.getByRole('row').filter({ hasText: name });
  await expect(lineOf('gpt-4o-mini')).toContainText('$0.31$0.21$0.10 33%');
  await expect(lineOf('loss-maker')).toContainText('$0.10$0.21-$0.10 -100%');
  await expect(lineOf('in-house')).toContainText('$0.10——');
  await card.getByRole('button', { name: 'Channel' }).click();
  await expect(lineOf('Local models')).toContainText('$9,000,000.52');
  await card.getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL('/margin?by=channel');
  // The dashboard has such a row too, and stays until the page is loaded.
  await expect(card).toBeHidden();
  await expect(rowOf(page, 'Local models')).toContainText('$8,000,000.33');

  // The models of the channel, then one model by channel, and back to everything.
  await rowOf(page, 'Local models').getByText('Local models').click();
  await expect(page).toHaveURL(/\/margin\?by=model&channel=1/);
  await expect(rowOf(page, 'loss-maker')).toContainText('-$0.10');
  // The largest first, then the smallest.
  await page.getByRole('button', { name: 'Margin', exact: true }).click();
  await page.getByRole('button', { name: 'Margin', exact: true }).click();
  await expect(page.getByRole('row').nth(1)).toContainText(/in-house|loss-maker/);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /export/i })
      .first()
      .click(),
  ]);
  expect(await readFile(await file.path(), 'utf8')).toContain('0.208');
  await page.getByLabel('Group by').selectOption('Group');
  await expect(rowOf(page, 'default')).toBeVisible();
  await page.getByLabel('Filters').last().selectOption('All models and channels');
  await page.getByLabel('Time range').selectOption('Last month');
  await expect(page.getByText('No calls in this time')).toBeVisible();
  await page.goBack();

  // C18: everyone's ranking of the time and by what the dashboard shows, with a file of all lines.
  await page.goto('/dashboard?by=user&range=24h');
  const top = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Top users' }) });
  await top.getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL('/margin?range=24h&by=user');
  await expect(rowOf(page, 'root')).toBeVisible();
  const [ranking] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /export/i })
      .first()
      .click(),
  ]);
  expect(await readFile(await ranking.path(), 'utf8')).toContain('root');

  await page.goto('/log?model_name=gpt-4o-mini&hide=request');
  await page.getByRole('row').filter({ hasText: 'gpt-4o-mini' }).getByText('gpt-4o-mini').click();
  const record = page.getByRole('region', { name: 'Cost breakdown' });
  await expect(record).toContainText('Charged $0.31, cost $0.21, margin $0.10 (33%)');
});

test('the vendor cost is a column of the log that administrators can show; users see no cost anywhere', async ({
  page,
  gateway,
}) => {
  await furnish(gateway);
  const root = await gateway.signIn();
  await root.call('POST', '/api/user/', { username: 'reader', password: 'correct horse 9' });
  await root.call('PUT', '/api/user/', { id: 2, username: 'reader', quota: 100_000_000 });
  const reader = await gateway.signIn('reader', 'correct horse 9');
  const token = await reader.call<{ key: string }>('POST', '/api/token/', { name: 'mine', unlimited_quota: true });
  expect((await chat(gateway, `sk-${token.key}`, 'gpt-4o-mini')).status).toBe(200);
  await signIn(page, gateway, '/log?hide=none');
  await expect(page.getByRole('columnheader', { name: 'Vendor cost' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'loss-maker' })).toContainText('$0.21');

  await signIn(page, gateway, '/log?hide=none', { username: 'reader', password: 'correct horse 9' });
  await expect(page.getByRole('row').filter({ hasText: 'gpt-4o-mini' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Vendor cost' })).toHaveCount(0);
  await page.getByRole('row').filter({ hasText: 'gpt-4o-mini' }).getByText('gpt-4o-mini').click();
  await expect(page.getByRole('region', { name: 'Cost breakdown' })).toBeVisible();
  await expect(page.getByText(/margin/i)).toHaveCount(0);
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /^Requests/ })).toContainText('1');
  await expect(page.getByRole('region', { name: 'Revenue and cost' })).toHaveCount(0);
  await page.goto('/margin');
  await expect(page.getByText(/permission/i).first()).toBeVisible();
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });
  test('revenue and cost fit and are accessible on phones and tablets', async ({ page, gateway }) => {
    const name = 'Production channel of the document understanding service in São Paulo';
    await addChannel(gateway, { name });
    await furnish(gateway);
    await signIn(page, gateway, '/margin');
    for (const path of ['/margin', '/dashboard', '/margin?range=last-month'])
      for (const [width, colorScheme] of [
        [320, 'dark'],
        [1024, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.waitForLoadState('networkidle');
        expect(await clippedParts(page), `${path} ${width}`).toEqual([]);
        expect(await violations(page), `${path} ${width}`).toEqual([]);
      }
  });
});
