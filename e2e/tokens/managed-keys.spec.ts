import { readFileSync } from 'node:fs';
import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

const password = 'correct horse battery';
const model = 'gpt-4o-mini';

test('C19 C20 an administrator makes, limits, rolls, finds and disables the keys of a user; the user rolls an own key', async ({
  page,
  gateway,
}) => {
  await prepareRelay(gateway, `${model},gpt-4o`);
  const root = await gateway.signIn();
  await root.call('POST', '/api/user/', { username: 'ada', password });
  await root.call('PUT', '/api/user/', { id: 2, quota: 5_000_000 });
  const status = async (key: string, name = model): Promise<number> => (await chat(gateway, key, name)).status;
  await signIn(page, gateway, '/user');
  const main = page.getByRole('main');
  const choose = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions: ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('ada', 'Manage tokens');
  await expect(page.getByRole('heading', { level: 1, name: 'Tokens of ada' })).toBeVisible();

  // Created for one model and this machine. The whole key is shown once.
  await page.getByRole('link', { name: 'Create token' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Notebook');
  await form.getByRole('combobox', { name: 'Models' }).fill(model);
  await form.getByRole('combobox', { name: 'Models' }).press('Enter');
  await form.getByRole('textbox', { name: 'Allowed addresses' }).fill('127.0.0.1, nowhere');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByText('nowhere is neither an address nor a CIDR range')).toBeVisible();
  await form.getByRole('textbox', { name: 'Allowed addresses' }).fill('127.0.0.1\n::1/128');
  await form.getByRole('button', { name: 'Create' }).click();
  const first = await form.getByRole('textbox', { name: 'Key', exact: true }).inputValue();
  expect([await status(first), await status(first, 'gpt-4o')]).toEqual([200, 403]);
  await form.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(rowOf(page, 'Notebook')).toContainText('127.0.0.1');
  await expect(rowOf(page, 'Notebook')).not.toContainText(first.slice(3));

  // Edited: the networks stay, the models go.
  await rowOf(page, 'Notebook').getByText('Notebook').click();
  await expect(form.getByRole('textbox', { name: 'Allowed addresses' })).toHaveValue('127.0.0.1/32\n::1/128');
  await form.getByRole('button', { name: `Remove ${model}` }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Token updated')).toBeVisible();
  await expect(page).toHaveURL(/\/user\/tokens\/2$/);
  await expect.poll(() => status(first, 'gpt-4o')).toBe(200);

  // Rolled: both keys work until the overlap is ended.
  await choose('Notebook', 'Roll key');
  await expect(form.getByLabel('Overlap')).toHaveValue('86400');
  expect(await violations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Roll key' }).click();
  const second = await form.getByRole('textbox', { name: 'Key', exact: true }).inputValue();
  expect(await violations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Done' }).click();
  expect([second === first, await status(first), await status(second)]).toEqual([false, 200, 200]);
  await choose('Notebook', 'End overlap now');
  await expect.poll(() => status(first)).toBe(401);
  expect(await status(second)).toBe(200);

  // Found by both keys inside a text, and disabled at once.
  await page.goto('/user');
  await main.getByRole('link', { name: 'Find a leaked key' }).click();
  await page.getByRole('textbox', { name: 'Key, or a text that contains it' }).fill('sk-1');
  await page.getByRole('button', { name: 'Find owner' }).click();
  await expect(toast(page, /The text holds no key/)).toBeVisible();
  await page
    .getByRole('textbox', { name: 'Key, or a text that contains it' })
    .fill(`export A=${first}\nB: "${second}"`);
  await page.getByRole('button', { name: 'Find owner' }).click();
  const found = page.getByRole('region', { name: 'Found tokens' }).getByRole('listitem');
  await expect(found).toHaveCount(2);
  await expect(found.first()).toContainText('Replaced');
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide, `${width} px`).toBeLessThanOrEqual(0);
    expect(await violations(page), `${width} px`).toEqual([]);
  }
  await expect(found.last()).toContainText('127.0.0.1');
  await found.last().getByRole('button', { name: 'Disable at once' }).click();
  await expect(found.getByText('Disabled')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Disable at once' })).toHaveCount(0);
  await expect.poll(() => status(second)).toBe(401);
  await found.last().getByRole('link', { name: 'ada' }).click();
  await choose('Notebook', 'Enable');
  await expect(rowOf(page, 'Notebook')).toContainText('Enabled');
  await expect.poll(() => status(second)).toBe(200);
  await page.goto('/audit');
  for (const entry of ['Rolled a key', 'Overlap: 24 h, Owner: user 2', "Ended a key's overlap", 'Searched for a key'])
    await expect(rowOf(page, entry).first()).toBeVisible();

  // The owner sees the use of the administrator's key, and rolls it too.
  await signIn(page, gateway, '/token', { username: 'ada', password });
  await choose('Notebook', 'Usage and snippets');
  await expect(main.getByRole('region', { name: 'Limits' })).toContainText('127.0.0.1');
  await main.getByRole('button', { name: 'Roll key' }).click();
  await form.getByLabel('Overlap').selectOption({ label: '1 hour' });
  await form.getByRole('button', { name: 'Roll key' }).click();
  const third = await form.getByRole('textbox', { name: 'Key', exact: true }).inputValue();
  await form.getByRole('button', { name: 'Done' }).click();
  expect([await status(second), await status(third)]).toEqual([200, 200]);
  await expect(main.getByText(/The replaced key works until \d{4}-/)).toBeVisible();
  await main.getByRole('button', { name: 'End overlap now' }).click();
  await expect(main.getByText(/The replaced key works until/)).toHaveCount(0);
  await expect.poll(() => status(second)).toBe(401);
  expect(await status(third)).toBe(200);
});

test('C19 an administrator makes a key for each user of a list, and saves the keys once', async ({ page, gateway }) => {
  await prepareRelay(gateway, model);
  const root = await gateway.signIn();
  for (const [index, username] of ['ada', 'grace'].entries()) {
    await root.call('POST', '/api/user/', { username, password });
    await root.call('PUT', '/api/user/', { id: index + 2, quota: 5_000_000 });
  }
  await signIn(page, gateway, '/user');
  await page.getByRole('main').getByRole('link', { name: 'Tokens for several users' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tokens for several users' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Course');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Name 1 to 100 users')).toBeVisible();
  const users = page.getByRole('textbox', { name: 'Users' });
  await users.fill('ada, grace\nnemo\nada');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(toast(page, 'There is no user of this name: nemo')).toBeVisible();
  await users.fill('ada, grace\nada');
  await expect(page.getByText('Users named: 2')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Create' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Course.csv');
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
    .slice(1);
  expect(lines.map((line) => line.split(',')[0])).toEqual(['ada', 'grace']);
  for (const line of lines) expect((await chat(gateway, line.split(',')[1] ?? '', model)).status).toBe(200);
  await expect(page.getByText('Tokens created: 2')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(lines[1]?.replace(',', ' ') ?? '-');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page).toHaveURL(/\/user$/);
});
