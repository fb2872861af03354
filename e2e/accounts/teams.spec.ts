import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('a team is made, its members share a balance by their own keys, and one who leaves takes none along', async ({
  page,
  gateway,
}) => {
  await prepareRelay(gateway, 'gpt-4o');
  const root = await gateway.signIn();
  for (const username of ['ada', 'grace'])
    await root.call('POST', '/api/user/', { username, password: 'correct horse 9' });

  await signIn(page, gateway, '/team');
  await expect(page.getByText('No teams')).toBeVisible();
  await page.getByRole('link', { name: 'Add team' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('research');
  await page.getByLabel('First manager').fill('ada');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(toast(page, 'Team created')).toBeVisible();
  const members = page.getByRole('table', { name: 'Members' });
  await expect(members.getByRole('row', { name: /ada/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // The account of a team is topped up as that of a user.
  await root.call('POST', '/api/topup', { user_id: 4, quota: 1_000_000 });

  await signIn(page, gateway, '/team', { username: 'ada', password: 'correct horse 9' });
  await rowOf(page, 'research').getByText('research').first().click();
  await expect(page.getByText('$2.00')).toBeVisible();
  await page.getByRole('textbox', { name: 'Username' }).fill('grace');
  await page.getByRole('button', { name: 'Add member' }).click();
  await expect(members.getByRole('row', { name: /grace/ })).toBeVisible();
  await page.getByRole('button', { name: 'Add a budget for grace' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(toast(page, 'Budget created')).toBeVisible();
  await expect(rowOf(page, 'grace')).toContainText('research');

  await signIn(page, gateway, '/team/4', { username: 'grace', password: 'correct horse 9' });
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByRole('link', { name: 'Create token' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Notebook');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(rowOf(page, 'Notebook')).toBeVisible();
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(200);

  await page.goto('/team/4');
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText('No teams')).toBeVisible();
  expect((await chat(gateway, key, 'gpt-4o')).status).toBe(401);

  await signIn(page, gateway, '/team/tokens/4', { username: 'ada', password: 'correct horse 9' });
  await expect(rowOf(page, 'Notebook')).toContainText('Disabled');
  await expect(rowOf(page, 'Notebook')).toContainText('former member');
  await rowOf(page, 'Notebook').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'View logs' }).click();
  await expect(page.getByText('Team research, token Notebook')).toBeVisible();
  await expect(rowOf(page, 'Notebook')).toContainText('gpt-4o');
  await page.goto('/team/4');
  await page.getByRole('main').getByRole('link', { name: 'Logs' }).click();
  await expect(page.getByText('Team research', { exact: true })).toBeVisible();
  await rowOf(page, 'Notebook').getByText('gpt-4o').click();
  await expect(page.getByText('Cost breakdown')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.goto('/log');
  await expect(page.getByText('Notebook')).toHaveCount(0);
  await page.goto('/statement?team=4');
  await expect(
    page.getByRole('table', { name: 'Usage by model' }).getByRole('row', { name: /gpt-4o 1 / }),
  ).toBeVisible();
});
