import { madeText } from '../../server/test/fakes/fake-upstream.ts';
import { prepareRelay, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

test('the playground calls two models side by side, shows time, tokens and price, and stops, repeats and edits', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  const release = Promise.withResolvers<void>();
  gateway.upstream.behave(({ prompt, model }) => {
    if (prompt.endsWith('Refuse.') && model === 'gpt-4o') {
      return { status: 400, body: JSON.stringify({ error: { message: 'this question is refused', code: 'bad' } }) };
    }
    return prompt.endsWith('Wait.') ? { words: 12, pause: { afterEvents: 4, until: release.promise } } : { words: 6 };
  });
  await signIn(page, gateway, '/playground');
  const main = page.getByRole('main');
  const question = main.getByRole('textbox', { name: 'Prompt', exact: true });
  await main.getByRole('combobox', { name: 'Model 1' }).selectOption('gpt-4o-mini');
  await main.getByRole('button', { name: 'Compare with another model' }).click();
  await expect(main.getByRole('combobox', { name: 'Model 2' })).toHaveValue('gpt-4o');
  await question.fill('Name three rivers.');
  await question.press('Enter');
  const turn = (index: number) => main.getByRole('region', { name: `Prompt ${index}` });
  const answer = (index: number, model: string) =>
    turn(index).getByRole('article', { name: `Response of ${model}`, exact: true });
  for (const model of ['gpt-4o-mini', 'gpt-4o']) {
    await expect(answer(1, model)).toContainText(madeText(6));
    await expect(answer(1, model)).toContainText(/first token after .* s.*total .* s.*3 in · 6 out.*\$0\.000/);
  }

  // One is stopped in the middle of its answer; the other model continues with its own conversation.
  await question.fill('Wait.');
  await main.getByRole('button', { name: 'Send' }).click();
  await expect(answer(2, 'gpt-4o')).toContainText(madeText(2));
  await main.getByRole('button', { name: 'Stop' }).click();
  await expect(answer(2, 'gpt-4o')).toContainText('Stopped.');
  release.resolve();
  await main.getByRole('button', { name: 'Edit prompt' }).click();
  await expect(turn(2)).toHaveCount(0);
  await expect(question).toHaveValue('Wait.');
  await question.fill('Refuse.');
  await question.press('Enter');
  await expect(answer(2, 'gpt-4o')).toContainText('this question is refused');
  await expect(answer(2, 'gpt-4o-mini')).toContainText(madeText(6));

  // The request as it was sent, without the key; the conversation survives a reload, the key is not stored.
  await answer(2, 'gpt-4o-mini').getByRole('button', { name: 'Request to gpt-4o-mini' }).click();
  const sheet = page.getByRole('dialog', { name: 'Request' });
  await expect(sheet.getByLabel('curl', { exact: true })).toContainText('Name three rivers.');
  await expect(sheet).not.toContainText(key);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(answer(2, 'gpt-4o')).toContainText('this question is refused');
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(kept).toContain('Name three rivers.');
  expect(kept).not.toContain(key.slice(3));
  await answer(1, 'gpt-4o').getByRole('link', { name: 'Log record' }).click();
  await expect(page).toHaveURL(/\/log\?.*id=\d+/);
  await expect(page.getByRole('dialog')).toContainText('gpt-4o');
});
