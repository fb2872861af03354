import { violations } from '../support/accessibility.ts';
import { rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('the link of an invitation opens an account in a team, with a token by a preset, while registration is closed', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  await root.call('POST', '/api/team/', { name: 'lab' });
  await root.call('PUT', '/api/option/', { key: 'RegisterEnabled', value: 'false' });
  await signIn(page, gateway, '/key-preset');
  await page.getByRole('link', { name: 'Add preset' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Course');
  await form.getByRole('button', { name: '$5', exact: true }).click();
  await form.getByRole('textbox', { name: 'Expires' }).fill('+30d');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(toast(page, 'Key preset created')).toBeVisible();
  await expect(rowOf(page, 'Course')).toContainText('30 days');

  const main = page.getByRole('main');
  await page.goto('/invitation/add');
  await main.getByRole('textbox', { name: 'Name', exact: true }).fill('Autumn school');
  await main.getByRole('combobox', { name: 'Team' }).selectOption('lab');
  await main.getByRole('combobox', { name: 'Key preset' }).selectOption('Course');
  await main.getByRole('textbox', { name: 'Uses' }).fill('0');
  await main.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(main.getByText('Enter a number from 1 to')).toBeVisible();
  await main.getByRole('textbox', { name: 'Uses' }).fill('2');
  expect(await violations(page)).toEqual([]);
  await main.getByRole('button', { name: 'Create', exact: true }).click();
  const link = await main.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await main.getByRole('link', { name: 'Done' }).click();
  await expect(rowOf(page, 'Autumn school')).toContainText('0 / 2');

  // A form of a token is filled in by the preset too.
  await page.goto('/token/add');
  await main.getByRole('combobox', { name: 'Fill in by a preset' }).selectOption('Course');
  await expect(main.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Course');
  await expect(main.getByRole('textbox', { name: 'Expires' })).toHaveValue('+30d');

  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(new URL(link).pathname + new URL(link).search);
  await page.getByRole('textbox', { name: 'Username' }).fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('correct horse 9');
  await page.getByLabel('Confirm password', { exact: true }).fill('correct horse 9');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page).toHaveURL(/login/);
  await signIn(page, gateway, '/team', { username: 'ada', password: 'correct horse 9' });
  await rowOf(page, 'lab').getByText('lab').first().click();
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await expect(rowOf(page, 'Course')).toContainText('$5.00');
  await page.getByRole('button', { name: 'Actions: Course' }).click();
  await page.getByRole('menuitem', { name: 'Copy key' }).click();
  await expect(toast(page, /copied/i)).toBeVisible();
});
