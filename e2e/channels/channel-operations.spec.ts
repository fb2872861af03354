import { startBillingServer } from '../../server/test/fakes/services/billing-server.ts';
import { violations } from '../support/accessibility.ts';
import { addChannel, chat, prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('CHAN-06 C57 C58 C80 tests of all and of disabled channels run in the background, show progress, and can be stopped', async ({
  page,
  gateway,
}) => {
  await addChannel(gateway, { name: 'Well' });
  await addChannel(gateway, { name: 'Broken', key: 'sk-wrong' });
  const last = await addChannel(gateway, { name: 'Last' });
  const root = await gateway.signIn();
  await root.call('PUT', '/api/channel/', { id: last, status: 2 });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  gateway.upstream.behave(() => ({ until: held }));
  await signIn(page, gateway, '/channel');
  await page.getByRole('button', { name: 'Test all channels' }).click();
  await expect(toast(page, 'channel test started, refresh to see results')).toBeVisible();
  await expect(page.getByText('Testing channels: 0 of 3')).toBeVisible();
  // Drawn by the page: the browser's own bar looks complete at 0.
  await expect(page.getByRole('progressbar')).toHaveCSS('appearance', 'none');
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '0');
  await page.getByRole('button', { name: 'Test disabled channels' }).click();
  await expect(toast(page, 'Test is already running')).toBeVisible();
  release();
  await expect(toast(page, 'Channel test finished: 3 tested, 1 failed')).toBeVisible();
  await expect(rowOf(page, 'Well')).toContainText(/\d\.\d\d s/);
  const seconds = Number(/(\d+\.\d\d) s/.exec(await rowOf(page, 'Well').innerText())?.[1]);
  await expect(rowOf(page, 'Broken')).toContainText('Failed');
  // More bars are faster: a response within a second has all four. How long it was held depends on the machine.
  const bars = 4 - [1, 3, 5].filter((limit) => seconds > limit).length;
  await expect(rowOf(page, 'Well').locator('svg rect[opacity="1"]')).toHaveCount(bars);

  const stuck = new Promise<void>((resolve) => (release = resolve));
  gateway.upstream.behave(() => ({ until: stuck }));
  await page.getByRole('button', { name: 'Test disabled channels' }).click();
  await expect(page.getByText('Testing channels: 0 of 1')).toBeVisible();
  await page.getByRole('button', { name: 'Stop testing' }).click();
  await expect(toast(page, 'Channel test stopped after 0 of 1')).toBeVisible();
  await expect(page.getByText('Testing channels:')).toHaveCount(0);
  release();
  gateway.upstream.behave(() => undefined);
  await page.getByRole('button', { name: 'Test disabled channels' }).click();
  await expect(toast(page, 'Test of disabled channels finished: 1 tested, 0 failed')).toBeVisible();
});

test('CHAN-07 RELAY-06 C31 C34 the reason of an automatic disabling is shown; disabled channels are deleted together', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await addChannel(gateway, { name: 'By hand', models: 'other' });
  const root = await gateway.signIn();
  await root.call('PUT', '/api/channel/', { id: 2, status: 2 });
  await root.call('PUT', '/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' });
  gateway.upstream.behave(() => ({
    status: 401,
    body: '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}',
  }));
  await chat(gateway, key, 'gpt-4o-mini');
  await signIn(page, gateway, '/channel');
  const status = rowOf(page, 'Local models').getByText('Auto-disabled');
  await expect(status).toBeVisible();
  await status.hover();
  await expect(page.getByText(/Disabled automatically: http status code: 401.*Incorrect API key/)).toBeVisible();
  await page.getByRole('button', { name: 'Enable Local models' }).focus();
  await page.getByRole('button', { name: 'Enable Local models' }).click();
  await expect(toast(page, 'operation completed successfully')).toBeVisible();
  await chat(gateway, key, 'gpt-4o-mini');
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect(rowOf(page, 'Local models')).toContainText('Auto-disabled');

  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /Local models.*Incorrect API key/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable: Local models' })).toBeVisible();
  // A test that succeeds does not enable the channel, and says so.
  gateway.upstream.behave(() => undefined);
  await page.goto('/channel/edit/1');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(toast(page, 'Local models responds, but is still disabled: enable it in the list')).toBeVisible();

  await page.getByRole('button', { name: 'Delete disabled channels' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Channels to delete: 2');
  await expect(dialog.getByRole('listitem')).toHaveText(['By hand', 'Local models']);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // The dialog's button has the same name as the one that opens it.
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, 'By hand')).toBeVisible();
  await page.getByRole('button', { name: 'Delete disabled channels' }).click();
  await dialog.getByRole('button', { name: 'Delete disabled channels' }).click();
  await expect(toast(page, 'disabled channels deleted: 2')).toBeVisible();
  await expect(page.getByText('No channels yet')).toBeVisible();
});

test('CHAN-10 a click on a balance queries it from the provider', async ({ page, gateway }) => {
  const billing = await startBillingServer({
    '/dashboard/billing/credit_grants': { body: { total_available: 12.5 } },
  });
  await addChannel(gateway, { name: 'With yuan', type: 4, base_url: billing.url, key: billing.key });
  await addChannel(gateway, { name: 'Custom', type: 8, base_url: billing.url, key: billing.key });
  await signIn(page, gateway, '/channel');
  await expect(rowOf(page, 'With yuan')).toContainText('¥0.00');
  await page.getByRole('button', { name: 'Update balance of With yuan' }).click();
  await expect(toast(page, 'balance updated')).toBeVisible();
  await expect(rowOf(page, 'With yuan')).toContainText('¥12.50');
  await page.getByRole('heading', { level: 1 }).hover();
  await page.getByRole('button', { name: 'Update balance of With yuan' }).hover();
  await expect(page.getByText(/^Updated \d{4}-/)).toBeVisible();
  await page.getByRole('button', { name: 'Update balance of Custom' }).click();
  await expect(toast(page, 'Could not read the balance: status code: 404')).toBeVisible();
  await billing.close();
});

test('CHAN-08 CHAN-20 several channels are edited at once, filters choose them, and the palette tests them all', async ({
  page,
  gateway,
}) => {
  await addChannel(gateway, { name: 'One' });
  await addChannel(gateway, { name: 'Two' });
  // The column of models needs a wide window.
  await page.setViewportSize({ width: 1440, height: 800 });
  await signIn(page, gateway, '/channel');
  const choose = async (): Promise<void> => {
    for (const name of ['One', 'Two']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  };
  await choose();
  await page.getByRole('button', { name: 'Set priority' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Priority' }).fill('12');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('spinbutton', { name: 'Priority of One' })).toHaveValue('12');
  // Rows are deselected after a successful action.
  for (const name of ['One', 'Two']) {
    await expect(page.getByRole('checkbox', { name: `Select ${name}` })).not.toBeChecked();
  }
  await choose();
  await page.getByRole('button', { name: 'Set groups' }).click();
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^Groups/ })
    .fill('vip, default');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'Two')).toContainText('vip, default');
  const root = await gateway.signIn();
  await expect
    .poll(() => root.call('GET', '/api/channel/?p=0'))
    .toMatchObject([
      { name: 'Two', priority: 12, group: 'vip,default' },
      { name: 'One', priority: 12, group: 'vip,default' },
    ]);

  // Models: one more for both, then the models of another channel.
  const models = page.getByRole('dialog', { name: 'Models of 2 channels' });
  const effects = models.getByRole('region', { name: 'Changes' }).getByRole('listitem');
  const openModels = async (): Promise<void> => {
    await choose();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Models' }).click();
  };
  await openModels();
  await models.getByRole('textbox', { name: 'Models' }).fill('m, o3');
  await expect(effects).toHaveText([/^Two.*\+1 −0$/, /^One.*\+1 −0$/]);
  expect(await violations(page)).toEqual([]);
  await models.getByRole('button', { name: 'Change channels' }).click();
  await expect(rowOf(page, 'One')).toContainText('2 models');
  await addChannel(gateway, { name: 'Three', models: 'm,o1', model_mapping: '{"o1":"o1-mini"}' });
  await openModels();
  await models.getByRole('button', { name: 'Copy from a channel' }).click();
  await models.getByRole('combobox', { name: 'Channel' }).fill('Three');
  await models.getByRole('option', { name: /^Three/ }).click();
  await expect(effects).toHaveText([/^Two.*\+1 −1 · redirects replaced$/, /^One/]);
  await models.getByRole('button', { name: 'Change channels' }).click();
  const copied = { models: 'm,o1', model_mapping: '{"o1":"o1-mini"}' };
  await expect.poll(() => root.call('GET', '/api/channel/?p=0')).toMatchObject([copied, copied, copied]);

  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect(rowOf(page, 'Three')).toBeVisible();
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('menuitem', { name: 'vip', exact: true }).click();
  await expect(rowOf(page, 'Three')).toHaveCount(0);
  await expect(page).toHaveURL(/group=vip/);
  await page.getByRole('button', { name: 'Remove Group: vip' }).click();
  await expect(rowOf(page, 'Three')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Test all');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Channel test finished: 3 tested, 0 failed')).toBeVisible();
  await expect(rowOf(page, 'One')).toContainText(/\d\.\d\d s/);
});

test('CHAN-05 the health of a channel shows successes, failures, who used it, and tests it', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  await chat(gateway, key, 'gpt-4o-mini');
  await chat(gateway, key, 'gpt-4o-mini', { stream: true });
  gateway.upstream.behave(() => ({ status: 500, body: '{"error":{"message":"the model is ill"}}' }));
  await chat(gateway, key, 'gpt-4o-mini');
  await signIn(page, gateway, '/channel');
  await page.getByRole('button', { name: 'Actions: Local models' }).click();
  await page.getByRole('menuitem', { name: 'Health' }).click();
  await expect(page).toHaveURL(/\/channel\/1$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Local models' })).toBeVisible();
  await expect(page.getByText('66.6%').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Failures by kind, 24 hours' })).toContainText('Provider error');
  await expect(page.getByRole('region', { name: 'Models served, 24 hours' })).toContainText('gpt-4o-mini');
  await expect(page.getByRole('region', { name: 'Tokens in use, 24 hours' })).toContainText('Production');
  await expect(page.getByRole('region', { name: 'Recent failures' }).first()).toContainText('the model is ill');
  await page.getByRole('combobox', { name: 'Model to test' }).selectOption('gpt-4o-mini');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(toast(page, /channel Local models: .*the model is ill/i)).toBeVisible();
  gateway.upstream.behave(() => undefined);
  // By keyboard: the toast covers the button, and stays while the pointer is on it.
  await page.getByRole('button', { name: 'Test', exact: true }).press('Enter');
  await expect(toast(page, /channel Local models tested, took \d+\.\d+ s/i)).toBeVisible();
  await expect(page.getByText('60.0%').first()).toBeVisible();
  const tests = page.getByRole('region', { name: 'Recent tests in this browser' }).getByRole('listitem');
  await expect(tests).toHaveText([/^✕.*: failed$/, /^●.*: \d+\.\d\d s$/]);
  await page.getByRole('button', { name: 'Disable' }).press('Enter');
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
});
