import { violations } from '../support/accessibility.ts';
import { chat, prepareRelay, rowOf, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('an operator finds what a run of an agent costs by step, and ends it', async ({ page, gateway }) => {
  const key = await prepareRelay(gateway, 'gpt-4o');
  await signIn(page, gateway, '/run');
  await expect(page.getByText('No runs')).toBeVisible();
  const call = (step: string) =>
    chat(gateway, key, 'gpt-4o', {
      headers: { 'x-run-id': 'nightly-report', 'x-run-step': step, 'x-run-max-calls': '500' },
    });
  for (const step of ['plan', 'plan/search', 'plan/search', '']) expect((await call(step)).status).toBe(200);

  await page.reload();
  const row = rowOf(page, 'nightly-report');
  await expect(row).toContainText('Open');
  expect(await violations(page)).toEqual([]);
  await row.getByText('nightly-report').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('nightly-report');
  const tree = page.getByRole('table', { name: 'Cost by step' });
  await expect(tree.getByRole('row')).toHaveCount(7);
  await expect(tree.getByRole('row', { name: /Whole run 4 / })).toBeVisible();
  await expect(tree.getByRole('row', { name: /search 2 / })).toBeVisible();
  await expect(page.getByText('4 / 500')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'End run' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End run' }).click();
  // The dialog, which has a button of the same name, closes with the answer.
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'End run' })).toBeDisabled();
  const refused = await call('plan');
  expect(refused.status).toBe(403);
  const root = await gateway.signIn();
  await expect
    .poll(() => root.call('GET', `/api/log/search?keyword=${refused.requestId}`))
    .toMatchObject([{ refusal: { rule: 'run_ended_stopped' } }]);

  // The record of a call leads to its run.
  await page.goto('/log?type=2');
  await rowOf(page, 'gpt-4o').first().click();
  await page.getByRole('link', { name: /^1( \/ |$)/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('nightly-report');
});
