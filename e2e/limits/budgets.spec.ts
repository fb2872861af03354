import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('an owner bounds what a key spends in a day, sees why a call was refused, and raises the amount', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  await signIn(page, gateway, '/budget');
  await expect(page.getByText('No budgets')).toBeVisible();
  await page.goto('/token');
  await page
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Add budget' }).click();
  // A page of its own, as the list is not below it.
  const form = page.getByRole('main');
  await expect(form.getByRole('textbox', { name: 'Token ID' })).toHaveValue('1');
  await form.getByRole('button', { name: 'quota', exact: true }).click();
  const amount = form.getByRole('textbox', { name: 'Amount for each period' });
  await amount.fill('nothing');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByText('Enter an amount above zero')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await amount.fill('1');
  await form.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Shanghai');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(toast(page, 'Budget created')).toBeVisible();
  const row = rowOf(page, '(#1)');
  await expect(row).toContainText('Day');
  await expect(row).toContainText('Hard');
  expect(await violations(page)).toEqual([]);

  const refused = await chat(gateway, key, 'gpt-4o');
  expect(refused.status).toBe(403);
  const root = await gateway.signIn();
  await expect
    .poll(() => root.call('GET', `/api/log/search?keyword=${refused.requestId}`))
    .toMatchObject([{ refusal: { rule: 'budget_used_up' } }]);
  await page.goto('/log?type=20');
  await rowOf(page, 'gpt-4o').first().click();
  const why = page.getByRole('region', { name: 'Why it was refused' });
  await expect(why).toContainText('A budget does not cover the request.');
  await why.getByRole('link', { name: 'Budgets' }).click();

  await row.getByText('(#1)').click();
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Time zone' })).toBeDisabled();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'quota', exact: true }).click();
  await sheet.getByRole('textbox', { name: 'Amount for each period' }).fill('1000000');
  await sheet.getByRole('switch', { name: /Rollover/ }).check({ force: true });
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Budget updated')).toBeVisible();
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);

  await page.getByRole('button', { name: /^Actions: / }).click();
  await page.getByRole('menuitem', { name: 'Delete budget' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete budget' }).click();
  await expect(page.getByText('No budgets')).toBeVisible();
  await page.goto('/audit');
  for (const entry of ['Created a budget', 'Changed a budget', 'Deleted a budget'])
    await expect(rowOf(page, entry).first()).toContainText('Budget 1');
});

test('what an administrator has set for a user the user sees and cannot change', async ({ page, gateway }) => {
  const root = await gateway.signIn();
  await root.call('POST', '/api/user/', { username: 'ada', password: 'correct horse 9' });
  await root.call('POST', '/api/budget/', {
    scope: 'user',
    subject_id: 2,
    period: 'week',
    zone: 'UTC',
    amount: 500_000,
  });
  await signIn(page, gateway, '/budget', { username: 'ada', password: 'correct horse 9' });
  await expect(rowOf(page, 'ada (#2)')).toContainText('Week');
  await page.getByRole('button', { name: /^Actions: / }).click();
  await expect(page.getByText('Set by an administrator')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Delete budget' })).toBeDisabled();
});
