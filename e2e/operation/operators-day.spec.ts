import type { Locator } from '@playwright/test';
import { addChannel, addLogs, chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

const daySeconds = 86_400;

test("C10 C11 C12 C13 C14 C29 an operator's day: each task takes no more clicks than docs/operators-day.md says", async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  const leaked = await addChannel(gateway, { name: 'Leaked', key: 'sk-leaked-4711', models: 'other' });
  const root = await gateway.signIn();
  await root.call('PUT', '/api/channel/', { id: leaked, status: 2 });
  await addLogs(gateway, { count: 20, until: Math.floor(Date.now() / 1000) - daySeconds });
  await chat(gateway, key, 'gpt-4o');
  await signIn(page, gateway, '/dashboard');

  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const choose = async (list: Locator, label: string): Promise<void> => {
    clicks += 1;
    await list.selectOption({ label });
  };
  const open = (name: string) =>
    click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }));
  const took = (most: number): void => {
    expect(clicks).toBeLessThanOrEqual(most);
    clicks = 0;
  };

  await test.step('rotate a leaked key, found by its last characters', async () => {
    await open('Channel');
    await page.getByRole('searchbox').fill('4711');
    await expect(page.getByRole('row')).toHaveCount(2);
    await click(rowOf(page, 'Leaked').getByText('Leaked', { exact: true }));
    await page.getByLabel('Key', { exact: true }).fill(gateway.upstream.key);
    await click(page.getByRole('button', { name: 'Save and test' }));
    await expect(toast(page, 'Leaked responds, but is still disabled')).toBeVisible();
    took(3);
  });

  await test.step('explain a charge', async () => {
    await page.goto('/dashboard');
    await open('Log');
    await click(rowOf(page, 'gpt-4o'));
    await expect(page.getByRole('region', { name: 'Cost breakdown' })).toContainText('Rounded up');
    await page.keyboard.press('Escape');
    took(2);
  });

  await test.step('find the most expensive user of yesterday', async () => {
    await open('Dashboard');
    await choose(page.getByLabel('Time range'), 'Yesterday');
    await choose(page.getByRole('combobox', { name: 'Group by' }), 'User');
    await expect(page.getByRole('heading', { name: 'Top users' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'root', exact: true })).toBeVisible();
    took(3);
  });

  await test.step('find the channel that fails, and switch it off', async () => {
    gateway.upstream.behave(() => ({ status: 500, body: '{"error":{"message":"broken"}}' }));
    for (let call = 0; call < 6; call += 1) await chat(gateway, key, 'gpt-4o');
    await page.goto('/log');
    await open('Dashboard');
    await expect(page.getByRole('main')).toContainText(/Local models.* attempts failed/);
    await click(page.getByRole('button', { name: 'Disable: Local models' }));
    await expect(page.getByRole('main')).toContainText('Local models is disabled');
    took(2);
  });

  await test.step('see why a call was refused', async () => {
    const refused = await chat(gateway, key, 'unlisted');
    await expect.poll(() => root.call('GET', `/api/log/search?keyword=${refused.requestId}`)).toHaveLength(1);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(refused.requestId);
    await click(page.getByRole('option', { name: refused.requestId }));
    await expect(page.getByRole('region', { name: 'Why it was refused' })).toContainText(
      'No channel lists this model.',
    );
    await page.keyboard.press('Escape');
    took(1);
  });

  await test.step('change the price of a model', async () => {
    await page.goto('/dashboard');
    await open('Log');
    await click(rowOf(page, 'gpt-4o').first());
    await click(page.getByRole('link', { name: 'Change price' }));
    const editor = page.getByRole('dialog', { name: 'gpt-4o' });
    await editor.getByLabel('Input / 1M tokens').fill('3');
    await editor.getByLabel('Output / 1M tokens').fill('12');
    await editor.getByLabel('Cached input').fill('1.5');
    await click(editor.getByRole('button', { name: 'Save' }));
    await expect(editor).toHaveCount(0);
    took(4);
  });

  await test.step('change the ratio of a model', async () => {
    await open('Setting');
    await click(page.getByRole('link', { name: 'Operation settings' }));
    await click(page.getByRole('group', { name: 'Model ratio view' }).getByRole('button', { name: 'Table' }));
    await page.getByRole('searchbox', { name: 'Search Model ratio' }).fill('gpt-4o');
    await page.getByRole('spinbutton', { name: 'Ratio of gpt-4o', exact: true }).fill('2');
    await click(page.getByRole('button', { name: 'Save ratio settings' }));
    await click(page.getByRole('alertdialog').getByRole('button', { name: 'Save' }));
    await expect(toast(page, 'operation completed successfully').first()).toBeVisible();
    took(5);
  });

  await test.step('read whether the gateway is up to date', async () => {
    await click(page.getByRole('link', { name: 'Other settings' }));
    await expect(page.getByText(/set the environment variable RELEASES_URL/)).toBeVisible();
    took(2);
  });

  await test.step('stop a runaway agent by its token', async () => {
    await open('Token');
    await click(page.getByRole('button', { name: 'Actions: Production' }));
    await click(page.getByRole('menuitem', { name: 'Disable' }));
    await expect(rowOf(page, 'Production')).toContainText('Disabled');
    await expect.poll(async () => (await chat(gateway, key, 'gpt-4o')).status).toBe(401);
    took(3);
  });

  await test.step('sell codes', async () => {
    await open('Redemption');
    await click(page.getByRole('link', { name: 'Add codes' }).first());
    await page.getByLabel('Name', { exact: true }).fill('Spring');
    await page.getByLabel('Count', { exact: true }).fill('3');
    await click(page.getByRole('button', { name: '$10', exact: true }));
    const saved = page.waitForEvent('download');
    await click(page.getByRole('button', { name: 'Create', exact: true }));
    expect((await saved).suggestedFilename()).toBe('Spring.txt');
    took(4);
  });

  await test.step('tokens for several users', async () => {
    await page.goto('/dashboard');
    for (const username of ['ada', 'grace'])
      await root.call('POST', '/api/user/', { username, password: 'correct horse 9' });
    await open('User');
    await click(page.getByRole('link', { name: 'Tokens for several users' }));
    await page.getByRole('textbox', { name: 'Users' }).fill('ada, grace');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Course');
    const saved = page.waitForEvent('download');
    await click(page.getByRole('button', { name: 'Create', exact: true }));
    expect((await saved).suggestedFilename()).toBe('Course.csv');
    took(3);
  });

  await test.step('monthly report per user', async () => {
    await open('User');
    await click(page.getByRole('button', { name: 'Actions: root' }));
    await click(page.getByRole('menuitem', { name: 'Account statement' }));
    await expect(page.getByRole('table', { name: 'Usage by model' })).toContainText('gpt-4o');
    took(3);
  });
});

test('a runaway agent is noticed by an alert, its key limited, its run found and its cost shown in eight clicks, and the run ended in two more', async ({
  page,
  gateway,
}) => {
  test.setTimeout(300_000);
  const key = await prepareRelay(gateway, 'gpt-4o');
  const root = await gateway.signIn();
  // A day that ends at least twelve hours from now.
  const zone = new Date().getUTCHours() < 12 ? 'UTC' : 'Etc/GMT+12';
  const budget = { scope: 'token', subject_id: 1, period: 'day', zone, amount: 1000, hard: false };
  await root.call('POST', '/api/budget/', budget);
  const rule = { name: 'Agents', kind: 'budget', severity: 'critical', enabled: true, threshold: 80 };
  await root.call('POST', '/api/alert/rule/', { ...rule, repeat_minutes: 0, destinations: [] });
  const runaway = () => chat(gateway, key, 'gpt-4o', { headers: { 'x-run-id': 'loop', 'x-run-step': 'retry/tool' } });
  for (let call = 0; call < 20; call += 1) expect((await runaway()).status).toBe(200);
  // Rules are evaluated once a minute.
  await expect
    .poll(() => root.call('GET', '/api/alert/'), { timeout: 150_000 })
    .toMatchObject([{ state: 'open', rule_name: 'Agents' }]);

  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const openFolded = async (name: string): Promise<void> => {
    await click(page.getByRole('button', { name: 'More' }));
    await click(page.getByRole('menuitem', { name, exact: true }));
  };
  await signIn(page, gateway, '/dashboard');
  await openFolded('Alerts');
  await click(page.getByRole('link', { name: 'root / Production (#1)' }));
  const form = page.getByRole('main');
  await click(form.locator('label').filter({ hasText: 'Hard' }).first());
  await click(form.getByRole('button', { name: 'Save' }));
  await expect(toast(page, 'Budget updated')).toBeVisible();
  expect((await runaway()).status).toBe(403);

  await openFolded('Runs');
  await click(rowOf(page, 'loop').getByText('loop'));
  await expect(page.getByRole('table', { name: 'Cost by step' }).getByRole('row', { name: /tool 20 / })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(8);
  await click(page.getByRole('button', { name: 'End run' }));
  await click(page.getByRole('alertdialog').getByRole('button', { name: 'End run' }));
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'End run' })).toBeDisabled();
  expect(clicks).toBeLessThanOrEqual(10);
});
