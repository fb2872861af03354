import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('an administrator limits the requests of a token, sees why a call was refused, and lifts the limit', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  await signIn(page, gateway, '/rate-limit');
  await expect(page.getByText('No rate limits')).toBeVisible();
  await page.getByRole('link', { name: 'Add rate limit' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Scope').selectOption({ label: 'Token' });
  await form.getByRole('textbox', { name: 'Subject' }).fill('999');
  await form.getByRole('textbox', { name: 'Amount' }).fill('many');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByText('Enter a whole number from 1')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await form.getByRole('textbox', { name: 'Amount' }).fill('1');
  await form.getByLabel('Period').selectOption({ label: 'per hour' });
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(toast(page, 'The subject does not exist')).toBeVisible();
  await form.getByRole('textbox', { name: 'Subject' }).fill('');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(toast(page, 'Rate limit created')).toBeVisible();
  await expect(rowOf(page, 'Token')).toContainText('1 requests');
  await expect(rowOf(page, 'Token')).toContainText('Each');
  expect(await violations(page)).toEqual([]);

  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);
  const refused = await chat(gateway, key, 'gpt-4o');
  expect(refused.status).toBe(429);
  const root = await gateway.signIn();
  await expect
    .poll(() => root.call('GET', `/api/log/search?keyword=${refused.requestId}`))
    .toMatchObject([{ refusal: { rule: 'rate_limit_requests' } }]);
  await page.goto('/log?type=20');
  await rowOf(page, 'gpt-4o').first().click();
  const why = page.getByRole('region', { name: 'Why it was refused' });
  await expect(why).toContainText('A rate limit of requests was reached.');
  await why.getByRole('link', { name: 'Rate limits' }).click();

  await rowOf(page, 'Token').getByText('Token').click();
  await form.getByRole('textbox', { name: 'Amount' }).fill('1000');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Rate limit updated')).toBeVisible();
  await expect(rowOf(page, 'Token')).toContainText('1,000 requests');
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);

  await page.getByRole('button', { name: /^Actions: Token/ }).click();
  await page.getByRole('menuitem', { name: 'Delete rate limit' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete rate limit' }).click();
  await expect(page.getByText('No rate limits')).toBeVisible();
  await page.goto('/audit');
  for (const entry of ['Created a rate limit', 'Changed a rate limit', 'Deleted a rate limit'])
    await expect(rowOf(page, entry).first()).toContainText('Rate limit 1');
});
