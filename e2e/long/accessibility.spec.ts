import type { Locator, Page } from '@playwright/test';
import { violations } from '../support/accessibility.ts';
import { signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';
import { keepPages } from './keep-pages.ts';
import { furnish, guardedPages, openPages, openWhole, watchFaults } from '../support/pages.ts';

const widths = [1366, 375];
const schemes = ['light', 'dark'] as const;

/** Brings a page into a state and resolves to the part to check; undefined if the page has no such state. */
type Enter = (page: Page, path: string) => Promise<Locator | undefined>;

/** A dialog that the URL of a page opens: nothing behind it can be reached. */
const isCovered = async (page: Page): Promise<boolean> => (await page.getByRole('dialog').count()) > 0;

const openMenu: Enter = async (page) => {
  if (await isCovered(page)) return undefined;
  const buttons = page.locator('[aria-haspopup="menu"]:visible');
  if ((await buttons.count()) === 0) return undefined;
  await buttons.last().click();
  return page.getByRole('menu').or(page.getByRole('dialog')).first();
};

/** The confirmation of a deletion if there are rows, the drawer of a record, else the palette. */
const openDialog: Enter = async (page, path) => {
  if (await isCovered(page)) return undefined;
  const rowMenus = page.getByRole('main').getByRole('button', { name: /^Actions: / });
  if (path === '/log') {
    await page.getByRole('row').or(page.getByRole('listitem')).last().click();
  } else if ((await rowMenus.count()) > 0) {
    await rowMenus.last().click();
    const remove = page.getByRole('menuitem', { name: /^Delete/ });
    // The row of root has no delete action.
    if ((await remove.count()) === 0 || (await remove.getAttribute('aria-disabled')) === 'true') {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
    } else await remove.click();
  } else if (openPages.includes(path)) return undefined;
  else await page.keyboard.press('Control+k');
  return page.getByRole('dialog').or(page.getByRole('alertdialog')).first();
};

/** An empty form submitted if the page needs no sign-in, else a server that fails. */
const fail: Enter = async (page, path) => {
  if (openPages.includes(path)) {
    const submit = page.locator('form button[type="submit"]');
    if ((await submit.count()) === 0) return undefined;
    await submit.click();
    return page.locator('main');
  }
  await page.route(/\/api\/(?!status$)/, (route) => route.fulfill({ status: 500, body: '' }));
  await openWhole(page, path);
  await page.unrouteAll({ behavior: 'wait' });
  return page.locator('main');
};

const openList: Enter = async (page) => {
  if (await isCovered(page)) return undefined;
  const fields = page.locator('input[role="combobox"]:not([list]):visible');
  if ((await fields.count()) === 0) return undefined;
  await fields.first().click();
  return page.getByRole('listbox');
};

const states: Readonly<Record<string, Enter>> = {
  // Behind a dialog that the URL opens it has no role.
  idle: async (page) => page.locator('main'),
  menu: openMenu,
  list: openList,
  dialog: openDialog,
  error: fail,
};

interface Look {
  /** Checks of the page: one for each of its states in each theme. */
  readonly looks: number;
  readonly violations: readonly string[];
}

const lookAt = async (page: Page, path: string): Promise<Look> => {
  const found: string[] = [];
  let looks = 0;
  for (const [name, enter] of Object.entries(states)) {
    await page.emulateMedia({ colorScheme: 'light' });
    await openWhole(page, path);
    const shown = await enter(page, path);
    if (shown === undefined) continue;
    await expect(shown, `${path}, ${name}`).toBeVisible();
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      // Only colours differ between the themes.
      const rules = scheme === 'dark' ? ['color-contrast'] : [];
      found.push(...(await violations(page, rules)).map((each) => `${name}, ${scheme}: ${each}`));
      looks += 1;
    }
  }
  return { looks, violations: found };
};

const pagesOfPart = 5;
const parts = [
  openPages,
  ...Array.from({ length: Math.ceil(guardedPages.length / pagesOfPart) }, (_, part) =>
    guardedPages.slice(part * pagesOfPart, (part + 1) * pagesOfPart),
  ),
];

for (const width of widths) {
  for (const [part, paths] of parts.entries()) {
    test(`SHELL-01 pages are accessible at ${width} px in both themes and in every state, part ${part + 1}`, async ({
      page,
      gateway,
    }) => {
      test.setTimeout(20 * 60_000);
      await furnish(gateway);
      const faults = watchFaults(page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 768 });
      await page.route('**/api/oauth/github*', (route) => route.abort());
      if (part > 0) await signIn(page, gateway, '/');
      const seen: Record<string, Look> = {};
      for (const path of paths) seen[`${path} at ${width} px`] = await lookAt(page, path);
      keepPages('console-axe', seen);
      expect(
        Object.entries(seen).flatMap(([state, look]) => look.violations.map((each) => `${state}: ${each}`)),
      ).toEqual([]);
      expect(faults).toEqual([]);
    });
  }
}
