import type { Page } from '@playwright/test';
import { rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test, type Gateway } from '../support/gateway.ts';
import { screens } from '../support/screens.ts';

const password = 'correct horse battery';

/** Creates accounts over the API; the balance of account n is n dollars. */
const addUsers = async (gateway: Gateway, names: readonly string[]): Promise<void> => {
  const root = await gateway.signIn();
  for (const username of names) await root.call('POST', '/api/user/', { username, password });
  const users = await root.call<{ id: number; username: string }[]>('GET', '/api/user/search?keyword=');
  for (const [index, username] of names.entries()) {
    const user = users.find((each) => each.username === username);
    await root.call('PUT', '/api/user/', { id: user?.id, quota: (index + 1) * 500_000 });
  }
};

const choose = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test('USER-01 USER-06 C80 the list of users is ordered, searched and paged by the server; its cards show role and group', async ({
  page,
  gateway,
}) => {
  await addUsers(
    gateway,
    Array.from({ length: 11 }, (_, index) => `person${index + 1}`),
  );
  await signIn(page, gateway, '/user');
  await expect(page.getByRole('heading', { level: 1, name: 'Manage users' })).toBeVisible();
  for (const column of ['ID', 'Username', 'Group', 'Balance', 'Used', 'Requests', 'Role', 'Status']) {
    await expect(page.getByRole('columnheader', { name: column, exact: true })).toBeVisible();
  }
  await expect(page.getByRole('row')).toHaveCount(11);
  await expect(page.getByRole('row').nth(1)).toContainText('person11');
  for (const fact of ['default', '$11.00', 'Ordinary user', 'Activated']) {
    await expect(page.getByRole('row').nth(1)).toContainText(fact);
  }
  // Shift selects all rows from the previous one, and deselects them again.
  const [newest, fourth] = ['person11', 'person8'].map((name) => page.getByLabel(`Select ${name}`));
  await newest?.click();
  await fourth?.click({ modifiers: ['Shift'] });
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(4);
  await newest?.click({ modifiers: ['Shift'] });
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(rowOf(page, 'root')).toContainText('Super administrator');
  await page.getByLabel('Order').selectOption({ label: 'Order: by balance' });
  await expect(page.getByRole('row').nth(1)).toContainText('root');
  await expect(page.getByRole('row').nth(2)).toContainText('person11');
  await expect(page).toHaveURL(/order=quota/);
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().includes('/api/user/search')),
    page.getByRole('searchbox').fill('  PERSON1 '),
  ]);
  expect(new URL(request.url()).searchParams.get('keyword')).toBe('PERSON1');
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.locator('main').getByRole('link', { name: 'Add user' })).toHaveCount(2);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('person7');
  await page.getByRole('option', { name: 'person7' }).click();
  await expect(page.getByLabel('Username')).toHaveValue('person7');
  // The result is offered as a recent entry next time, before anything is typed.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toHaveText('person7');

  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto('/user?q=person7');
  const card = page.getByRole('listitem').filter({ hasText: 'person7' });
  for (const fact of ['Ordinary user', 'Group', 'default']) await expect(card).toContainText(fact);
});

test('USER-02 USER-03 C42 accounts are promoted, banned and deleted from their row; the actions of role 100 are disabled', async ({
  page,
  gateway,
}) => {
  await addUsers(gateway, ['alice']);
  const alice = await gateway.signIn('alice', password);
  await signIn(page, gateway, '/user');
  const row = rowOf(page, 'alice');
  await choose(page, 'alice', 'Promote to administrator');
  await expect(row).toContainText('Administrator');
  await expect(toast(page, /operation completed successfully/i)).toBeVisible();
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Ordinary user');
  await choose(page, 'alice', 'Disable');
  await expect(row).toContainText('Banned');
  await expect(alice.call('GET', '/api/user/self')).rejects.toThrow('401');
  await choose(page, 'alice', 'Enable');
  await expect(row).toContainText('Activated');

  await page.getByRole('button', { name: 'Actions: root' }).click();
  await expect(page.getByRole('menuitem', { name: 'View logs' })).toHaveAttribute('href', /[?&]range=all&/);
  for (const action of ['Demote to ordinary user', 'Disable', 'Delete user']) {
    await expect(page.getByRole('menuitem', { name: action })).toBeDisabled();
  }
  await expect(page.getByText("The super administrator can't be changed here")).toBeVisible();
  await page.keyboard.press('Escape');

  await choose(page, 'alice', 'Delete user');
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog).toContainText('Delete alice?');
  // The confirmation is rendered beside the page, but no element id exists twice.
  const ids = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toBeVisible();
  await choose(page, 'alice', 'Delete user');
  await dialog.getByRole('button', { name: 'Delete user' }).click();
  // Behind an open confirmation the page is not accessible.
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0);
  await expect(gateway.signIn('alice', password)).rejects.toThrow('wrong');

  // All these actions are in the audit log.
  await page.goto('/audit');
  await expect(page.getByRole('row').nth(1)).toContainText('Sign-in failed');
  await expect(page.getByRole('row').nth(1)).toContainText('Not signed in');
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Promoted a user' });
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/action=promote_user/);
  await rowOf(page, 'Promoted a user').click();
  await expect(page.getByRole('dialog')).toContainText('User 2');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('no such action');
  await expect(page.getByText('No entries match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rowOf(page, 'Deleted a user')).toHaveCount(1);
});

test('USER-05 a user is created with a name and a password; without either nothing is sent', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, '/user');
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postDataJSON());
  });
  await page.getByRole('link', { name: 'Add user' }).first().click();
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await create.click();
  await page.getByLabel('Username').fill('bob');
  await create.click();
  await expect(page).toHaveURL(/\/user\/add$/);
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: 'Generate' }).click();
  const made = await page.getByLabel('Password', { exact: true }).inputValue();
  expect(made).toMatch(/^[0-9A-Za-z]{16}$/);
  await create.click();
  await expect(toast(page, /user created/i)).toBeVisible();
  expect(sent).toEqual([{ username: 'bob', display_name: '', password: made }]);
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(rowOf(page, 'bob')).toContainText('Ordinary user');
  await gateway.signIn('bob', made);
});

test('USER-04 an administrator changes group and quota; the log has the values before and after', async ({
  page,
  gateway,
}) => {
  await addUsers(gateway, ['carol']);
  const carol = await gateway.signIn('carol', password);
  const root = await gateway.signIn();
  await root.call('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"gold":0.8,"silver":0.9}' });
  // In addition to the one that every account starts with.
  await carol.call('POST', '/api/token/', { name: 'hers', remain_quota: 1 });
  await signIn(page, gateway, '/user');
  await rowOf(page, 'carol').getByText('carol', { exact: true }).click();
  await expect(page.getByRole('dialog').locator('dl')).toContainText(/Requests0Tokens2/);
  await expect(page.getByText('New groups are added in the ratio settings')).toBeVisible();
  for (const account of ['Code host', 'Chat app', 'E-mail']) {
    await expect(page.getByLabel(account, { exact: true })).toHaveAttribute('readonly', '');
  }
  await page.getByLabel('Display name').fill('Carol');
  await page.getByRole('combobox', { name: 'Group' }).fill('go');
  await page.getByRole('option', { name: 'gold' }).click();
  await page.getByRole('button', { name: '+$5' }).click();
  await expect(page.getByText('$5.00 more than now')).toBeVisible();
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PUT'),
    page.getByRole('button', { name: 'Save' }).click(),
  ]);
  expect(request.postDataJSON()).toMatchObject({ quota: 3_000_000, quota_seen: 500_000, used_quota: 0, group: 'gold' });
  await expect(toast(page, /user updated/i)).toBeVisible();
  await expect(rowOf(page, 'carol')).toContainText('gold');
  await expect(rowOf(page, 'carol')).toContainText('$6.00');
  expect(await carol.call('GET', '/api/log/self?type=3')).toMatchObject([
    { content: 'administrator changed user quota from $1.000000 quota to $6.000000 quota' },
    {},
  ]);
  await rowOf(page, 'carol').getByText('carol', { exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/password length must not be less than 8/i)).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/setting/);
});

test('SHELL-15 RED-07 a user without the admin role finds no links to admin screens, and the no-permission screen on each', async ({
  page,
  gateway,
}) => {
  await addUsers(gateway, ['dave']);
  await signIn(page, gateway, '/token', { username: 'dave', password });
  const forbidden = screens.filter(({ access }) => access === 'admin').map(({ path }) => path.replace(/:\w+/g, '1'));
  expect(forbidden).toEqual(expect.arrayContaining(['/user', '/redemption', '/redemption/edit/1', '/channel']));
  for (const path of forbidden) {
    await page.goto(path);
    await expect(page.getByText('No permission', { exact: true }), path).toBeVisible();
  }
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect(navigation.getByRole('link', { name: 'Top up' })).toBeVisible();
  for (const entry of ['User', 'Redemption', 'Channel']) {
    await expect(navigation.getByRole('link', { name: entry, exact: true })).toHaveCount(0);
  }
});

test('SHELL-04 a form is shown as soon as its code is loaded, also if that is late and together with its sheet', async ({
  page,
  gateway,
}) => {
  await addUsers(gateway, ['erin']);
  const sheet = Promise.withResolvers<void>();
  const form = Promise.withResolvers<void>();
  const addresses = new Map<string, string>();
  for (const [name, held] of [
    ['route-sheet', sheet],
    ['user-form-screen', form],
  ] as const) {
    await page.route(new RegExp(`/assets/${name}-[^/]*\\.js$`), async (route) => {
      addresses.set(name, route.request().url());
      await held.promise;
      await route.continue();
    });
  }
  const arrives = async (name: string): Promise<void> => {
    await expect.poll(() => addresses.get(name)).toBeDefined();
    await page.evaluate((url) => import(url).then(() => undefined), addresses.get(name) ?? '');
  };
  await page.clock.install();
  await signIn(page, gateway, '/user');
  await expect(rowOf(page, 'erin')).toBeVisible();
  // After this no frame is drawn and no time passes unless the test advances them.
  await page.clock.pauseAt(Date.now() + 60_000);
  await rowOf(page, 'erin').getByText('erin', { exact: true }).click();
  await page.clock.runFor(2000);
  sheet.resolve();
  await arrives('route-sheet');
  await expect(page.getByRole('dialog').getByText('Loading')).toBeVisible();
  form.resolve();
  await arrives('user-form-screen');
  await page.clock.resume();
  await expect(page.getByText('New groups are added in the ratio settings')).toBeVisible();
});
