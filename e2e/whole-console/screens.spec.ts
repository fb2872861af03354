import type { Page } from '@playwright/test';
import { violations } from '../support/accessibility.ts';
import { signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';
import { furnish, guardedPages, openPages, openWhole, watchFaults } from '../support/pages.ts';

const widths = [1366, 375];

/** Only colours differ between the themes, so that the dark one is checked for contrast alone. */
const lookAt = async (page: Page, path: string): Promise<void> => {
  await openWhole(page, path);
  expect(await violations(page), path).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await violations(page, ['color-contrast']), `${path}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
};

for (const width of widths) {
  test(`SHELL-01 every page is accessible in both themes, fits and keeps its policy at ${width} px`, async ({
    page,
    gateway,
  }) => {
    test.setTimeout((openPages.length + guardedPages.length) * 20_000);
    await furnish(gateway);
    const faults = watchFaults(page);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 768 });
    // No answer: the screen waits to send the request again.
    await page.route('**/api/oauth/github*', (route) => route.abort());
    for (const path of openPages) await lookAt(page, path);
    await signIn(page, gateway, '/');
    for (const path of guardedPages) await lookAt(page, path);
    expect(faults).toEqual([]);
  });
}

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
