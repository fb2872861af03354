import type { Page } from '@playwright/test';
import { startCounterpart } from '../../server/test/fakes/services/counterpart.ts';
import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, type Gateway, test } from '../support/gateway.ts';

const entry = (model: string, input: string, output: string, more: object = {}) => ({
  vendor: 'openai',
  model,
  mode: 'chat',
  price: { rates: { input, output } },
  from: '2026-01-01',
  ...more,
});
const bookOf = (name: string, ...entries: readonly object[]): string => JSON.stringify({ name, entries }, null, 1);
const long = 'a-model-with-a-very-long-name-that-has-every-suffix-and-a-region-and-a-date-and-another-word-2026-12-01';

/** Calls of `brand-new` and `kept`, which has a ratio of the operator. */
const prepare = async (gateway: Gateway): Promise<string> => {
  const key = await prepareRelay(gateway, 'brand-new,kept');
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'UnpricedModels', value: 'fallback' });
  await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: '{"kept":1}' });
  gateway.upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } }));
  for (const model of ['brand-new', 'brand-new', 'kept']) expect((await chat(gateway, key, model)).status).toBe(200);
  return key;
};

const costOf = async (gateway: Gateway, key: string): Promise<number> => {
  await chat(gateway, key, 'brand-new');
  const root = await gateway.signIn();
  const [row] = await root.call<{ quota: number }[]>('GET', '/api/log/?type=2');
  return row?.quota ?? -1;
};

const upload = async (page: Page, content: string): Promise<void> => {
  await page.getByRole('button', { name: 'File', exact: true }).click();
  const buffer = Buffer.from(content);
  await page
    .getByLabel('Price book', { exact: true })
    .setInputFiles({ name: 'december.json', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
};

const book = bookOf(
  '2026-12',
  entry('brand-new', '2', '8'),
  entry('kept', '123456.789', '999999', { ends: '2027-01-31' }),
  entry(long, '0.000000000000001', '1', { vendor: 'vendor-without-a-row-in-the-catalogue' }),
);

test('an uploaded price book shows who is affected, part of it is approved, and the rest is dismissed', async ({
  page,
  gateway,
}) => {
  const key = await prepare(gateway);
  await signIn(page, gateway, '/dashboard');
  await expect(page.getByText('Needs attention')).toBeVisible();
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Export or import prices' }).click();
  await page.getByRole('menuitem', { name: 'Price book' }).click();
  await expect(page.getByText('No price book waits')).toBeVisible();
  await page.getByRole('link', { name: 'New price book' }).first().click();
  await upload(page, '{"name":"x",\n"entries":[\n{"vendor":"openai"}]}');
  await expect(page.getByText('Not a price book, line 3: entries.0.model is missing')).toBeVisible();
  await upload(page, book);

  const waiting = page.getByRole('region', { name: 'The price book that waits' });
  await expect(waiting).toContainText('december.json');
  await expect(waiting).toContainText('Your customers would have paid less last month');
  const fresh = rowOf(page, 'brand-new');
  await expect(fresh).toContainText('New');
  await expect(fresh).toContainText('$2');
  await expect(rowOf(page, 'kept')).toContainText('Your ratio counts');
  await expect(rowOf(page, 'kept')).toContainText('$123456.789');
  await expect(page.getByRole('row').nth(1)).toContainText('brand-new');
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Price book 2026-12 waits for your approval' }).click();
  await page.getByLabel('Show', { exact: true }).selectOption('Offered or used');
  await expect(rowOf(page, long)).toHaveCount(0);
  await waiting.getByRole('button', { name: 'Approve the 2 listed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve prices: 2' });
  await expect(dialog.getByLabel('The others go on waiting')).toBeChecked();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(toast(page, 'Prices approved: 2')).toBeVisible();
  expect(await costOf(gateway, key)).toBe(1400);
  await page.getByLabel('Show', { exact: true }).selectOption('All differences');
  await expect(rowOf(page, long)).toBeVisible();
  await expect(rowOf(page, 'brand-new')).toHaveCount(0);
  await waiting.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('No price book waits')).toBeVisible();
});

test('a book from an address counts from a chosen day on, an earlier one is put in force again, and that of the release is compared', async ({
  page,
  gateway,
}) => {
  const key = await prepare(gateway);
  const server = await startCounterpart({
    'GET /book.json': () => ({ body: bookOf('2027-01', entry('brand-new', '4', '8'), entry('other', '1', '1')) }),
  });
  await signIn(page, gateway, '/pricing/book/propose');
  await page.getByRole('button', { name: 'Address', exact: true }).click();
  await page.getByLabel('Address', { exact: true }).fill('http://prices.example/book.json');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByText('The price book could not be fetched: not an https address')).toBeVisible();
  await page.getByLabel('Address', { exact: true }).fill(`${server.url}/book.json`);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await rowOf(page, 'brand-new').getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve prices: 1' });
  await dialog.getByRole('button', { name: 'From a day on' }).click();
  const day = dialog.getByLabel('First day (UTC)');
  await day.fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(dialog.getByText(/^Choose .* or a later day$/)).toBeVisible();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await day.fill(tomorrow);
  await dialog.getByLabel('The others go on waiting').uncheck();
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(toast(page, 'Prices approved: 1')).toBeVisible();
  await expect(page.getByText('No price book waits')).toBeVisible();
  // Until then the fallback ratio counts.
  expect(await costOf(gateway, key)).toBe(33_000);

  await page.getByRole('link', { name: 'New price book' }).first().click();
  const editions = page.getByRole('region', { name: 'Approved editions' });
  await expect(editions.getByRole('listitem').first()).toContainText('2027-01');
  await expect(editions.getByRole('listitem').first()).toContainText('In force');
  await editions
    .getByRole('button', { name: /^Put in force again/ })
    .first()
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Put in force again' }).click();
  await expect(toast(page, 'In force again')).toBeVisible();
  await expect(editions.getByRole('listitem')).toHaveCount(3);

  await page.getByRole('button', { name: 'This release', exact: true }).click();
  await expect(page.getByText(/This release comes with price book/)).toBeVisible();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByText('Nothing would change')).toBeVisible();
  await server.close();
});

test.describe('in Chinese, dark', () => {
  test.use({ locale: 'zh-CN', colorScheme: 'dark' });

  test('the differences fit every width, with long names, large numbers and none', async ({ page, gateway }, info) => {
    test.slow();
    await prepare(gateway);
    const root = await gateway.signIn();
    await signIn(page, gateway, '/pricing/book');
    await expect(page.getByText('没有待批准的价格表')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const source = { kind: 'file', name: `${long}.json`, content: book };
    await root.call('POST', '/api/price_book/proposal', { source });
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/pricing/book', '/pricing/book/propose']) {
        await page.goto(path);
        await expect(page.getByText(path === '/pricing/book' ? 'brand-new' : '2026-11').first()).toBeVisible();
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${path} ${width}`).toBeLessThanOrEqual(0);
        if (width === 320) expect(await violations(page), path).toEqual([]);
        const name = `${path.replaceAll('/', '-')}-${width}.png`;
        await page.screenshot({ path: info.outputPath(name), fullPage: true });
      }
    }
  });
});
