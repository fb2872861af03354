import { once } from 'node:events';
import { createServer } from 'node:http';
import { signIn, toast } from '../support/actions.ts';
import { expect, test as base } from '../support/gateway.ts';

/** The code host's answer about the latest release; undefined: no release. */
let release: Readonly<Record<string, string>> | undefined;

const test = base.extend({
  serverEnv: async ({}, use) => {
    const host = createServer((request, response) => {
      const found = request.url === '/releases/latest' && release !== undefined;
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(release ?? {}));
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const address = host.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await use({ RELEASES_URL: `http://127.0.0.1:${port}/releases/latest` });
    host.closeAllConnections();
    host.close();
  },
});

test('SET-07 SET-14 name, logo, theme and texts take effect for visitors at once', async ({
  page,
  browser,
  gateway,
}) => {
  const visitor = await (await browser.newContext({ colorScheme: 'light' })).newPage();
  await visitor.goto(gateway.url);
  await expect(visitor).toHaveTitle('Home · Weir');
  await signIn(page, gateway, '/setting?tab=other');
  const save = async (name: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
  };
  const type = (label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text);
  await type('System name', 'River House');
  await type('Logo', '/logo.svg?own');
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
  await save('Save personalization');

  await expect(page).toHaveTitle(/River House/);
  for (const [label, text, button] of [
    ['Notice', '# Holiday\n\n**Closed** on Sunday<script>window.hacked = 1</script>', 'Save notice'],
    ['Home page content', '# Our models', 'Save home page content'],
    ['About', 'Run by *us*', 'Save about'],
    ['Footer', '<b>House rules</b><img src=x onerror="window.hacked = 1">', 'Save footer'],
  ] as const) {
    await type(label, text);
    await save(button);
  }
  const preview = page.getByRole('region', { name: 'Preview: Notice' });
  await expect(preview.getByText('Closed', { exact: true })).toHaveCSS('font-weight', '700');

  await visitor.reload();
  await expect(visitor).toHaveTitle('Home · River House');
  await expect(visitor.locator('link[rel=icon]')).toHaveAttribute('href', '/logo.svg?own');
  await expect(visitor.getByRole('banner').locator('img')).toHaveAttribute('src', '/logo.svg?own');
  await expect(visitor.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(visitor.getByRole('heading', { name: 'Our models' })).toBeVisible();
  await expect(visitor.getByText('Closed', { exact: true })).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 2, name: 'Holiday' })).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Our models');
  await expect(visitor.getByRole('contentinfo').getByText('House rules')).toBeVisible();
  await visitor.goto(`${gateway.url}/about`);
  await expect(visitor.getByText('us', { exact: true })).toHaveCSS('font-style', 'italic');
  for (const each of [page, visitor]) expect(await each.evaluate(() => 'hacked' in window)).toBe(false);
  await visitor.context().close();
});

test('SET-08 C72 the update check shows a new version with its notes and a link, or that there is none', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/setting?tab=other');
  const check = page.getByRole('button', { name: 'Check for updates' });
  release = undefined;
  await check.click();
  await expect(toast(page, /already the latest version/i)).toBeVisible();
  release = {
    tag_name: 'v99.0.0',
    body: '# Faster\n\n- **twice** as fast<script>window.hacked = 1</script>',
    html_url: 'https://code.example/weir/releases/v99.0.0',
  };
  await check.click();
  const dialog = page.getByRole('dialog', { name: 'New version: v99.0.0' });
  await expect(dialog.getByRole('heading', { name: 'Faster' })).toBeVisible();
  await expect(dialog.getByText('twice', { exact: true })).toHaveCSS('font-weight', '700');
  await expect(dialog.getByRole('link', { name: 'Open the release page' })).toHaveAttribute(
    'href',
    'https://code.example/weir/releases/v99.0.0',
  );
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  // A release that names no page of its own.
  release = { tag_name: 'v99.0.0', body: 'Faster' };
  await check.click();
  await expect(dialog.getByRole('link', { name: 'Open the release page' })).toHaveAttribute('href', /releases/);
});
