import type { Page } from '@playwright/test';
import { violations } from '../support/accessibility.ts';
import { addChannel, chat, prepareRelay, rowOf, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';
import { furnish, guardedPages, openPages, openWhole, watchFaults } from '../support/pages.ts';

/** Rules that a narrow page or the dark theme breaks where the wide and light one keeps them. */
const rulesOfLooks = [
  'color-contrast',
  'target-size',
  'scrollable-region-focusable',
  'list',
  'listitem',
  'button-name',
];

/** Every width in one theme: `npm run verify:long -- axe` looks at all widths in both, by every rule. */
const looks = [
  { width: 1366, theme: 'light', rules: [] },
  { width: 375, theme: 'dark', rules: rulesOfLooks },
] as const;

const lookAt = async (page: Page, path: string, rules: readonly string[]): Promise<void> => {
  await openWhole(page, path);
  expect(await violations(page, rules), path).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
};

/** Each part is a test, as all pages in one take longer than any other test. */
const middle = Math.ceil(guardedPages.length / 2);
const parts = [
  {
    name: 'pages without a session and the first half of the others',
    open: openPages,
    guarded: guardedPages.slice(0, middle),
  },
  { name: 'the second half of the pages with a session', open: [], guarded: guardedPages.slice(middle) },
] as const;
const walks = looks.flatMap((look) => parts.map((part) => ({ ...look, ...part })));

for (const { width, theme, rules, name, open, guarded } of walks) {
  test(`SHELL-01 ${name} are accessible, fit and keep their policy at ${width} px in the ${theme} theme`, async ({
    page,
    gateway,
  }) => {
    test.setTimeout((open.length + guarded.length) * 20_000);
    await furnish(gateway);
    const faults = watchFaults(page);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 768 });
    // No answer: the screen waits to send the request again.
    await page.route('**/api/oauth/github*', (route) => route.abort());
    for (const path of open) await lookAt(page, path, rules);
    await signIn(page, gateway, '/');
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    for (const path of guarded) await lookAt(page, path, rules);
    expect(faults).toEqual([]);
  });
}

test('SHELL-01 a change of theme is whole at once: no text is between the colours of both', async ({ page }) => {
  await openWhole(page, '/about');
  const changing = await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark';
    return document.getAnimations().map(({ effect }) => effect instanceof KeyframeEffect && effect.target?.textContent);
  });
  expect(changing).toEqual([]);
});

test('SHELL-01 a menu, the confirmation of a deletion and a failed list are accessible in both themes', async ({
  page,
  gateway,
}) => {
  await furnish(gateway);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await signIn(page, gateway, '/token');
  const look = async (): Promise<void> => {
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(await violations(page, ['color-contrast'])).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await look();
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look();
  await page.keyboard.press('Escape');
  await page.route('**/api/redemption/**', (route) => route.fulfill({ status: 500, body: '' }));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Redemption' }).click();
  await expect(page.getByRole('main').getByRole('button', { name: 'Retry' })).toBeVisible();
  await look();
});

/** Parts of the page that scroll sideways, but for code and for tabs. */
const sideways = (page: Page): Promise<readonly string[]> =>
  page.locator('html, main .overflow-x-auto, [role=dialog] *').evaluateAll((elements) =>
    elements
      .filter((each) => each.tagName === 'HTML' || /auto|scroll/.test(getComputedStyle(each).overflowX))
      .filter((each) => !each.matches('pre, [role=group]') && each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.tagName} ${each.getAttribute('class')} ${each.scrollWidth} > ${each.clientWidth}`),
  );

test('C16 C25 C26 C27 C80 lists and records fit their windows, from a phone to a small laptop, with nothing left out', async ({
  page,
  gateway,
}) => {
  const key = await prepareRelay(gateway);
  const name = 'OpenAI of the research group, rented in 2025';
  await addChannel(gateway, { name, base_url: 'http://127.0.0.1:9', models: 'gpt-4o-mini,own-model', priority: 9 });
  await chat(gateway, key, 'gpt-4o-mini');
  await signIn(page, gateway, '/channel');
  for (const [path, width, row] of [
    ['/channel', 768, name],
    ['/channel', 1024, name],
    ['/channel', 1280, name],
    ['/token', 768, 'Production'],
    ['/log', 1024, 'Production'],
    ['/log', 1100, 'Production'],
    ['/node', 768, 'main'],
    ['/node', 1024, 'main'],
    ['/node', 1280, 'main'],
    ['/pricing', 768, 'gpt-4o-mini'],
    ['/pricing', 1024, 'gpt-4o-mini'],
    ['/pricing', 1280, 'gpt-4o-mini'],
    ['/pricing', 1366, 'gpt-4o-mini'],
  ] as const) {
    await page.setViewportSize({ width, height: 768 });
    await page.goto(path);
    await expect(rowOf(page, row).first()).toBeVisible();
    // The log's grid scrolls within its frame.
    const wide = (await sideways(page)).filter((part) => path !== '/log' || part.startsWith('HTML'));
    expect(wide, `${path} at ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 768 });
  await page.goto('/channel');
  // The rows may still be on their way: nothing of the footer is measured before it rests.
  const apart = async (): Promise<number> => {
    const [button, pager] = await Promise.all(
      ['Refresh', 'Page 1'].map((label) => page.getByRole('button', { name: label, exact: true }).boundingBox()),
    );
    return Math.abs((button?.y ?? 0) - (pager?.y ?? 99));
  };
  await expect.poll(apart).toBeLessThan(5);
  // Two rows are not framed like a full page.
  expect((await page.getByRole('table').boundingBox())?.height).toBeLessThan(250);

  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto('/channel');
  const cards = page.getByRole('main').getByRole('listitem');
  await expect(cards.first()).toContainText('Type');
  await expect(page.getByRole('button', { name: 'More filters' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Filters' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('combobox', { name: 'Response time' }).selectOption({ label: 'Response time > 5 s' });
  await expect(page).toHaveURL(/took=/);
  await sheet.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('No channels match')).toBeVisible();

  // A retried call: the links of its attempts are below each other.
  await page.setViewportSize({ width: 320, height: 812 });
  await page.goto('/log');
  await cards.first().getByRole('button').first().click();
  await expect(sheet.getByRole('link', { name: /^Channel 2: status/ })).toBeVisible();
  expect(await sideways(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);

  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto('/channel/2');
  const failures = page.getByRole('region', { name: 'Recent failures' });
  const message = failures.getByRole('row').last().getByRole('cell').nth(3);
  await expect(message).toBeVisible();
  const box = await message.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(375);
  await page.goto('/pricing?q=own-model');
  await expect(cards.first()).toContainText('own-model');
  expect(await violations(page)).toEqual([]);
  const root = await gateway.signIn();
  await root.call('PUT', '/api/channel/', { id: 2, priority: 3 });
  await page.goto('/audit');
  await expect(cards.filter({ hasText: 'Channel 2' }).first()).toContainText(/priority/i);
});

test('C16 a list with more columns than the window has room for shows that the actions lie over some, until it is scrolled', async ({
  page,
  gateway,
}) => {
  await prepareRelay(gateway);
  await signIn(page, gateway, '/token');
  await page.setViewportSize({ width: 768, height: 768 });
  const row = rowOf(page, 'Production').first();
  await expect(row).toBeVisible();
  const edge = (): Promise<string> =>
    row.evaluate((element) => getComputedStyle(element.lastElementChild ?? element, '::before').content);
  expect(await edge()).toBe('none');
  // All columns.
  await page.goto('/token?hide=none');
  await expect(row).toBeVisible();
  await expect.poll(edge).toBe('""');
  await page.locator('main .overflow-x-auto').evaluate((frame) => frame.scrollTo(frame.scrollWidth, 0));
  await expect.poll(edge).toBe('none');
  await page.setViewportSize({ width: 800, height: 768 });
  await page.locator('main .overflow-x-auto').evaluate((frame) => frame.scrollTo(0, 0));
  await expect.poll(edge).toBe('""');
  await page.setViewportSize({ width: 1800, height: 768 });
  await expect.poll(edge).toBe('none');
});
