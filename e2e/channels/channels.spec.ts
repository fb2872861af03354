import type { Page } from '@playwright/test';
import { addChannel, chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('CHAN-04 CHAN-08 status and priority are changed in the list by partial updates', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway);
  await signIn(page, gateway, '/channel');
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: 'Actions: Local models' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(rowOf(page, 'Local models')).toContainText('Disabled');
  await expect.poll(async () => (await chat(gateway, key, 'gpt-4o-mini')).status).toBe(503);
  await page.getByRole('button', { name: 'Actions: Local models' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await expect.poll(async () => (await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);
  const priority = page.getByRole('spinbutton', { name: 'Priority of Local models' });
  await priority.fill('');
  await priority.press('Enter');
  await priority.fill('7');
  await priority.press('Enter');
  await expect
    .poll(() => sent)
    .toEqual([
      { id: 1, status: 2 },
      { id: 1, status: 1 },
      { id: 1, priority: 7 },
    ]);
});

test('CHAN-05 CHAN-03 C43 a test sends a real request and shows how long it took, or why it failed', async ({
  page,
  gateway,
}) => {
  await prepareRelay(gateway);
  await signIn(page, gateway, '/channel');
  await page.getByRole('button', { name: 'Test Local models' }).click();
  await expect(rowOf(page, 'Local models')).toContainText(/\d\.\d+ s/);
  await expect.poll(() => gateway.upstream.journal().filter((entry) => entry.completed).length).toBe(1);
  await expect(toast(page, /channel Local models tested, took \d+\.\d+ s/i)).toBeVisible();
  gateway.upstream.behave(() => ({ status: 500, body: '{"error":{"message":"the model is ill"}}' }));
  await page.getByRole('button', { name: 'Test Local models' }).click();
  await rowOf(page, 'Local models').getByText('Failed').hover();
  await expect(page.getByRole('tooltip').getByText(/the model is ill/)).toBeVisible();
  await page.reload();
  await rowOf(page, 'Local models').getByText('Failed').hover();
  await expect(page.getByRole('tooltip').getByText(/\d{4}-\d{2}-\d{2} .*the model is ill/)).toBeVisible();
});

test('C62 a double click on a test button, and a click while a test runs, start one test', async ({
  page,
  gateway,
}) => {
  await prepareRelay(gateway);
  const answered = Promise.withResolvers<void>();
  gateway.upstream.behave(() => ({ until: answered.promise }));
  let tests = 0;
  page.on('request', (request) => (tests += /\/api\/channel\/test\/\d/.test(request.url()) ? 1 : 0));
  await signIn(page, gateway, '/channel');
  const button = page.getByRole('button', { name: 'Test Local models' });
  await button.dblclick();
  await expect.poll(() => gateway.upstream.running()).toBe(1);
  await button.click();
  answered.resolve();
  await expect(toast(page, /channel Local models tested/i)).toBeVisible();
  await expect(toast(page, /channel Local models tested/i)).toHaveCount(1);
  expect([tests, gateway.upstream.journal().length]).toEqual([1, 1]);
  // When it has ended the next one begins.
  await button.click();
  await expect.poll(() => tests).toBe(2);
});

test('CHAN-07 deleting a channel needs a confirmation, and the channel then gets no requests', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await signIn(page, gateway, '/channel');
  await page.getByRole('button', { name: 'Actions: Local models' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog).toContainText('Local models');
  await dialog.getByRole('button', { name: /delete/i }).click();
  await expect(rowOf(page, 'Local models')).toHaveCount(0);
  expect((await chat(gateway, key, 'gpt-4o-mini')).status).toBe(503);
});

test('SHELL-15 C2 an ordinary user sees the no-permission screen, also after being an administrator', async ({
  page,
  gateway,
}) => {
  const root = await gateway.signIn();
  const account = { username: 'ada', password: 'correct horse' };
  await root.call('POST', '/api/user/', account);
  await root.call('POST', '/api/user/manage', { username: 'ada', action: 'promote' });
  await signIn(page, gateway, '/channel', account);
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channel' });
  await expect(entry).toBeVisible();
  // An open page would ask for something between the two, and go to the sign-in.
  await page.goto('about:blank');
  await root.call('POST', '/api/user/manage', { username: 'ada', action: 'demote' });
  // The browser still has the account as it signed in, and a session.
  await page.request.post(`${gateway.url}/api/user/login`, { data: account, headers: { origin: gateway.url } });
  await page.goto('/channel');
  await expect(page.getByRole('heading', { name: 'No permission' })).toBeVisible();
  await expect(entry).toHaveCount(0);
});

const columnTexts = (page: Page, column: number): Promise<string[]> =>
  page.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();

test('CHAN-01 CHAN-02 CHAN-11 CHAN-12 CHAN-24 C49 C61 the list shows, sorts, searches and pages its channels', async ({
  page,
  gateway,
}) => {
  for (let count = 1; count <= 11; count += 1) {
    const values = {
      name: `Channel ${String.fromCodePoint(64 + count)}`,
      key: `sk-list-${count}-x${count}yz`,
      priority: count % 4,
    };
    await addChannel(gateway, { ...values, type: count === 11 ? 77 : count === 10 ? 14 : 8 });
  }
  await signIn(page, gateway, '/channel');
  const heads = ['ID', 'Name', 'Group', 'Type', 'Status', 'Response time', 'Balance', 'Priority'];
  for (const head of heads) {
    await expect(page.getByRole('columnheader', { name: head }).getByRole('button')).toBeVisible();
  }
  await expect(rowOf(page, 'Channel K')).toContainText('77');
  await expect(rowOf(page, 'Channel K').locator('[data-dot]')).toHaveAttribute('data-dot', 'grey');
  await expect(rowOf(page, 'Channel J')).toContainText('Anthropic Claude');
  await expect(rowOf(page, 'Channel J').locator('[data-dot]')).toHaveAttribute('data-dot', 'black');
  await expect(rowOf(page, 'Channel J')).toContainText('not supported');
  await expect(rowOf(page, 'Channel J')).toContainText('Untested');
  await expect(page.locator('tbody tr')).toHaveCount(10);

  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect.poll(async () => (await columnTexts(page, 3))[0]?.trim()).toBe('Channel A');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect.poll(async () => (await columnTexts(page, 3))[0]?.trim()).toBe('Channel K');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await page.goBack();
  await expect(page.locator('tbody tr')).toHaveCount(10);

  // The form returns to the page and order that it was opened from, by any way.
  await page.goto('/channel?p=2&sort=-name');
  await expect(rowOf(page, 'Channel A')).toBeVisible();
  const openForm = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Actions: Channel A' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await expect(page).toHaveURL('/channel/edit/1?p=2&sort=-name');
  };
  const back = [
    () => page.getByRole('button', { name: 'Save', exact: true }).click(),
    () => page.getByRole('link', { name: 'Cancel' }).click(),
    () => page.getByRole('link', { name: 'Channels', exact: true }).click(),
    () => page.goBack(),
  ];
  for (const leave of back) {
    await openForm();
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Channel A');
    await leave();
    await expect(page).toHaveURL('/channel?p=2&sort=-name');
  }
  // Beyond the end: the last page, without a request for each page before it.
  let lists = 0;
  page.on('request', (request) => (lists += request.url().includes('/api/channel/?p=') ? 1 : 0));
  await page.goto('/channel?p=99');
  await expect(rowOf(page, 'Channel A')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
  expect(lists).toBeLessThanOrEqual(11);

  const priority = page.getByRole('spinbutton', { name: 'Priority of Channel A' });
  await priority.fill('1.5');
  await priority.press('Enter');
  await expect(toast(page, 'Enter a whole number')).toBeVisible();
  await expect(priority).toHaveAttribute('aria-invalid', 'true');
  await priority.press('Escape');
  await expect(priority).toHaveValue('1');
  await page.goto('/channel');

  const search = page.getByRole('searchbox', { name: 'Search by ID, name or key' });
  await search.hover();
  await expect(page.getByText('full key or its last four characters')).toBeVisible();
  for (const [text, name] of [
    ['3', 'Channel C'],
    ['channel d', 'Channel D'],
    ['sk-list-5-x5yz', 'Channel E'],
    ['x6yz', 'Channel F'],
  ] as const) {
    await search.fill(text);
    await expect(page.locator('tbody tr')).toHaveCount(1);
    await expect(rowOf(page, name)).toBeVisible();
  }
  await search.fill('');
  await expect(page.locator('tbody tr')).toHaveCount(10);
  await expect(page).not.toHaveURL(/x6yz/);

  for (const name of ['Test all channels', 'Test disabled channels', 'Delete disabled channels', 'Refresh']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Add channel' }).last()).toHaveAttribute('href', '/channel/add');

  const notice = page.getByText('OpenAI balances show 0');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Why?' }).click();
  await expect(page.getByText("prefers gpt-3.5-turbo, otherwise the channel's first model")).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss this notice' }).click();
  await page.reload();
  await expect(rowOf(page, 'Channel A').or(rowOf(page, 'Channel B')).first()).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('CHAN-09 the weight is edited in the list and never goes below 0', async ({ page, gateway }) => {
  await prepareRelay(gateway);
  await signIn(page, gateway, '/channel');
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: 'Columns and density' }).click();
  await page.getByRole('checkbox', { name: 'Weight' }).click();
  await page.keyboard.press('Escape');
  const weight = page.getByRole('spinbutton', { name: 'Weight of Local models' });
  await weight.fill('4');
  await weight.press('Enter');
  await expect(toast(page, 'operation completed successfully')).toBeVisible();
  await weight.fill('-3');
  await weight.press('Enter');
  await expect
    .poll(() => sent)
    .toEqual([
      { id: 1, weight: 4 },
      { id: 1, weight: 0 },
    ]);
  await expect(weight).toHaveValue('0');
});

test('CHAN-15 RELAY-05 R25 a channel has several keys, its own time-outs, costs and proxy, and shows where its calls are routed', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  const root = await gateway.signIn();
  // A refused key is told to the client.
  await root.call('PUT', '/api/option/', { key: 'RetryTimes', value: '0' });
  await signIn(page, gateway, '/channel/edit/1');
  const keys = page.getByRole('textbox', { name: 'Keys, one per line' });
  await page.getByText('Use all keys in one channel').click();
  await keys.fill(`sk-refused-key\n${gateway.upstream.key}`);
  await page.getByText('Advanced', { exact: true }).click();
  const first = page.getByRole('spinbutton', { name: 'First-byte timeout (s)' });
  await first.fill('0');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Timeouts must be whole seconds from 1 to 21600').first()).toBeVisible();
  await expect(first).toHaveAttribute('aria-invalid', 'true');
  await first.fill('45');
  const factor = page.getByRole('textbox', { name: 'Cost factor' });
  await factor.fill('80 %');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('A decimal from 0 to 10')).toBeVisible();
  await factor.fill('0.8');
  await page.getByText('Keep conversations on this channel').click();
  const proxy = page.getByRole('textbox', { name: 'Proxy', exact: true });
  await proxy.fill('http://weir:secret@127.0.0.1:9');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel updated/i)).toBeVisible();
  // Its password is shown to no one, and the field is as easily cleared.
  await page.goto('/channel/edit/1');
  await expect(proxy).toHaveValue('http://weir:***@127.0.0.1:9');
  await expect(factor).toHaveValue('0.8');
  await proxy.fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel updated/i)).toBeVisible();
  const channel = await root.call<{ config: string }>('GET', '/api/channel/1');
  expect(JSON.parse(channel.config)).toEqual({
    multi_key: true,
    first_byte_seconds: 45,
    cost_factor: '0.8',
    affinity: false,
  });

  await expect
    .poll(async () => {
      const { status } = await chat(gateway, key, 'gpt-4o-mini');
      return status;
    })
    .toBe(401);
  await page.goto('/channel/1');
  const route = page.getByRole('region', { name: 'Channels for this model' });
  await expect(route.getByRole('row', { name: /Local models/ })).toContainText(/Active.*Key 1: account rejected/);
  await expect(route.getByRole('row', { name: /Local models/ })).toContainText('100%');
  expect((await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);

  await page.goto('/channel/edit/1');
  await expect(first).toHaveValue('45');
  await expect(keys).toHaveValue('');
});
