import { chat, prepareRelay, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('C14 C36 the page of a key shows its own usage by model and its latest requests, and has snippets that work', async ({
  page,
  context,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  await chat(gateway, key, 'gpt-4o');
  await chat(gateway, key, 'gpt-4o-mini');
  const root = await gateway.signIn();
  const other = await root.call<{ key: string }>('POST', '/api/token/', { name: 'Production', unlimited_quota: true });
  await chat(gateway, `sk-${other.key}`, 'gpt-4o');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, gateway);
  // Another token of the same name is not counted. The list is newest first.
  await page.getByRole('button', { name: 'Actions: Production' }).last().click();
  await page.getByRole('menuitem', { name: 'Usage and snippets' }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: 'Production' })).toBeVisible();
  await expect(main.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link')).toHaveAttribute(
    'href',
    '/token',
  );
  await expect(main.getByText('2', { exact: true })).toBeVisible();
  await expect(main.getByText('% of the account')).toBeVisible();
  await expect(main.getByRole('img', { name: /Usage over time/ })).toBeVisible();
  const requests = main.getByRole('table', { name: 'Latest requests' });
  await expect(requests.getByRole('row')).toHaveCount(3);
  await expect(requests.getByRole('row').nth(1)).toContainText('gpt-4o-mini');
  await expect(main.getByRole('region', { name: 'Limits' })).toContainText('All models of the group');
  await expect(main.getByRole('region', { name: 'Limits' })).toContainText(/First used\d{4}-/);

  // The key stays hidden until a user reveals it; the copied text contains it anyway.
  await main.getByRole('button', { name: 'Connect' }).click();
  await expect(main.getByRole('textbox', { name: 'Base URL' })).toHaveValue(`${gateway.url}/v1`);
  const code = main.getByLabel('curl', { exact: true });
  await expect(code).toContainText('"model": "gpt-4o-mini"');
  await expect(code).not.toContainText(key);
  await main.getByRole('button', { name: 'Copy curl' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`Bearer ${key}`);
  await main.getByText('Show key').click();
  await main.getByLabel('Language or client').selectOption('Claude Code');
  await main.getByLabel('Model', { exact: true }).selectOption('gpt-4o');
  await expect(main.getByLabel('Claude Code', { exact: true })).toContainText(key);
  await expect(main.getByLabel('Claude Code', { exact: true })).toContainText(`ANTHROPIC_BASE_URL="${gateway.url}"`);

  await main.getByRole('button', { name: 'Requests' }).click();
  const all = main.getByRole('region', { name: 'Requests' });
  await expect(all.getByRole('row')).toHaveCount(3);
  await expect(all.getByRole('button', { name: 'Show more' })).toHaveCount(0);

  // Saved on the page of the usage; the form then restarts from the saved values.
  await main.getByRole('button', { name: 'Settings' }).click();
  await main.getByLabel('Name').fill('Production site');
  await main.getByRole('button', { name: 'Save' }).click();
  await expect(main.getByRole('heading', { level: 1, name: 'Production site' })).toBeVisible();
  await expect(main.getByLabel('Name')).toHaveValue('Production site');
  await main.getByLabel('Name').fill('Production');
  await main.getByRole('button', { name: 'Save' }).click();
  await expect(main.getByRole('heading', { level: 1, name: 'Production', exact: true })).toBeVisible();

  // The URL holds the tab; disabling and deleting the key work on this page.
  await main.getByRole('button', { name: 'Connect' }).click();
  await page.reload();
  await expect(main.getByLabel('curl', { exact: true })).not.toContainText(key);
  await main.getByRole('button', { name: 'Disable' }).click();
  await expect(main.getByText('Disabled')).toBeVisible();
  await expect.poll(async () => (await chat(gateway, key, 'gpt-4o')).status).toBe(401);
  await main.getByRole('button', { name: 'Actions: Production' }).click();
  await page.getByRole('menuitem', { name: 'Delete token' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete token' }).click();
  await expect(toast(page, 'operation completed successfully').first()).toBeVisible();
  await expect(page).toHaveURL(/\/token$/);
  // The other token of this name stays.
  await expect(page.getByRole('row').filter({ hasText: 'Production' })).toHaveCount(1);
});
