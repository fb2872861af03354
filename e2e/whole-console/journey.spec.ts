import OpenAI from 'openai';
import { rowOf, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

const model = 'gpt-4o-mini';

test('RELAY-01 from the first sign-in to a relayed answer and its cost, by hand', async ({
  page,
  context,
  gateway,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);

  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Username or e-mail').fill('root');
  await page.getByLabel('Password', { exact: true }).fill(gateway.rootPassword);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/user\/edit$/);
  await page.getByLabel('New password').fill('a password of my own');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, /user updated/i)).toBeVisible();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channel' }).click();
  await page.getByRole('link', { name: 'Add channel' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My provider');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(gateway.upstream.url);
  // A new channel offers the models of its type.
  await expect(page.getByRole('button', { name: `Remove ${model}`, exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill(gateway.upstream.key);

  // Clicks are counted after this: at most six from the pasted key to the first answer.
  let clicks = 0;
  const click = async (target: ReturnType<typeof page.getByRole>): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  await click(page.getByRole('button', { name: 'Save', exact: true }));
  await expect(toast(page, /channel created/i)).toBeVisible();
  await expect(rowOf(page, 'My provider')).toContainText('Enabled');
  await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Token' }));
  await click(page.getByRole('link', { name: 'Create token' }).first());
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('First key');
  await click(page.getByRole('button', { name: 'Create', exact: true }));
  await expect(toast(page, /token created, click copy in the list to get the token/i)).toBeVisible();
  await click(page.getByRole('button', { name: /copy/i }).first());
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/);
  expect(clicks).toBeLessThanOrEqual(6);

  const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1` });
  const messages = [{ role: 'user' as const, content: 'Name three rivers.' }];
  const answer = await client.chat.completions.create({ model, messages });
  expect(answer.choices[0]?.message.content).toContain('river');
  const words: string[] = [];
  for await (const chunk of await client.chat.completions.create({ model, messages, stream: true })) {
    words.push(chunk.choices[0]?.delta.content ?? '');
  }
  expect(words.join('')).toBe(answer.choices[0]?.message.content);

  await page.goto('/log');
  const rows = rowOf(page, 'First key');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(model);
  await expect(rows.first()).toContainText('$0.0000');
  await page.goto('/token');
  await expect(rowOf(page, 'First key')).toContainText('$1.00');
});
