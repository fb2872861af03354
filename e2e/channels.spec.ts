import { chat, prepareRelay, rowOf, signIn, toast } from './actions.ts';
import { expect, test } from './gateway.ts';

test('CHAN-14 CHAN-22 the form asks for name, key and models before anything is sent', async ({ page, gateway }) => {
  let posts = 0;
  page.on(
    'request',
    (request) => (posts += request.method() === 'POST' && request.url().includes('/api/channel') ? 1 : 0),
  );
  await signIn(page, gateway, '/channel/add');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('please fill in channel name and channel key').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A channel');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-something');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('please select at least one model').first()).toBeVisible();
  expect(posts).toBe(0);
  await page.getByRole('button', { name: 'Fill basic models' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel created/i)).toBeVisible();
  const root = await gateway.signIn();
  const [channel] = await root.call<{ models: string; group: string; key: string }[]>('GET', '/api/channel/?p=0');
  expect(channel?.group).toBe('default');
  expect(channel?.key).toBe('');
  expect(channel?.models.split(',').every((name) => /^(?:gpt-3|text-)/.test(name))).toBe(true);
});

test('CHAN-15 one channel is made for each line of several keys', async ({ page, gateway }) => {
  await signIn(page, gateway, '/channel/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Batch');
  await page.getByText('Several keys, one channel for each').last().click();
  await page.getByRole('textbox', { name: /^Keys?/ }).fill('sk-one\n\nsk-two\nsk-three\n');
  await page.getByRole('button', { name: 'Fill basic models' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel created/i)).toBeVisible();
  await expect(rowOf(page, 'Batch')).toHaveCount(3);
});

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

test('CHAN-05 CHAN-03 a test sends a real request and shows how long it took', async ({ page, gateway }) => {
  await prepareRelay(gateway);
  await signIn(page, gateway, '/channel');
  await page.getByRole('button', { name: 'Test Local models' }).click();
  await expect(rowOf(page, 'Local models')).toContainText(/\d\.\d+ s/);
  await expect.poll(() => gateway.upstream.journal().filter((entry) => entry.completed).length).toBe(1);
  await expect(toast(page, /channel Local models tested, took \d+\.\d+ s/i)).toBeVisible();
});

test('CHAN-07 deleting a channel asks first, and it takes no requests any more', async ({ page, gateway }) => {
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

test('CHAN-21 editing with an empty key keeps the stored key', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway);
  await signIn(page, gateway, '/channel/edit/1');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Local models');
  expect(await page.content()).not.toContain(gateway.upstream.key);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, /channel updated/i)).toBeVisible();
  expect((await chat(gateway, key, 'gpt-4o-mini')).status).toBe(200);
});

test('CHAN-17 CHAN-18 the form shows what a type needs and hides what it has not', async ({ page, gateway }) => {
  await signIn(page, gateway, '/channel/add');
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Type' }).fill(name);
    await page.getByRole('option', { name, exact: true }).click();
  };
  await choose('Azure OpenAI');
  await expect(page.getByRole('textbox', { name: 'Base URL', exact: true })).toHaveCount(0);
  await expect(page.getByText(/API version/).first()).toBeVisible();
  await choose('iFlytek Spark');
  await expect(
    page.getByText('APPID|APISecret|APIKey').or(page.getByPlaceholder('APPID|APISecret|APIKey')).first(),
  ).toBeVisible();
  await choose('Tencent Hunyuan');
  await expect(
    page.getByText('AppId|SecretId|SecretKey').or(page.getByPlaceholder('AppId|SecretId|SecretKey')).first(),
  ).toBeVisible();
});

test('SHELL-15 an ordinary user sees no permission, and the server refuses the calls', async ({ page, gateway }) => {
  await signIn(page, gateway);
  await page.evaluate(() => {
    localStorage.setItem('user', (localStorage.getItem('user') ?? '').replace('"role":100', '"role":1'));
  });
  await page.goto('/channel');
  await expect(page.getByRole('heading', { name: 'No permission' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channel' })).toHaveCount(0);
});
