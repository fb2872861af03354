import type { Page } from '@playwright/test';
import { violations } from '../support/accessibility.ts';
import { signIn } from '../support/actions.ts';
import { clippedParts } from '../support/clipped-parts.ts';
import { expect, test, type Gateway } from '../support/gateway.ts';
import { keepPages } from './keep-pages.ts';
import { furnish, furnishExtremes, guardedPages, openPages, openWhole, watchFaults } from '../support/pages.ts';

const widths = [320, 375, 768, 1024, 1100, 1280, 1440];
const schemes = ['light', 'dark'] as const;

/** What the pages show: nothing, an ordinary example, or long names and large numbers. */
const fillings: Readonly<Record<string, (gateway: Gateway) => Promise<void>>> = {
  empty: async () => {},
  ordinary: furnish,
  extreme: furnishExtremes,
};

const faultsAt = async (page: Page): Promise<readonly string[]> => {
  const found = [...(await clippedParts(page))];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
    // Only colours differ between the themes.
    found.push(...(await violations(page, scheme === 'dark' ? ['color-contrast'] : [])));
  }
  return found;
};

/** All widths of one page. */
const lookAt = async (page: Page, path: string): Promise<readonly string[]> => {
  const found: string[] = [];
  await page.setViewportSize({ width: widths[0] ?? 320, height: 800 });
  await openWhole(page, path);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    // Lists for phones and tables replace each other.
    await page.waitForLoadState('networkidle');
    found.push(...(await faultsAt(page)).map((fault) => `${path} at ${width} px: ${fault}`));
  }
  return found;
};

for (const locale of ['en-US', 'zh-CN']) {
  test.describe(locale, () => {
    test.use({ locale });
    for (const [filling, fill] of Object.entries(fillings)) {
      test(`C16 C26 C27 ${filling} pages fit and are accessible at ${widths.length} widths, ${locale}`, async ({
        page,
        gateway,
      }) => {
        test.setTimeout(40 * 60_000);
        await fill(gateway);
        const scriptFaults = watchFaults(page);
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await page.route('**/api/oauth/github*', (route) => route.abort());
        const found: string[] = [];
        for (const path of openPages) found.push(...(await lookAt(page, path)));
        await signIn(page, gateway, '/');
        // An empty gateway has no record to open.
        const paths = filling === 'empty' ? guardedPages.filter((path) => !/\/1(?:\?|$)/.test(path)) : guardedPages;
        for (const path of paths) found.push(...(await lookAt(page, path)));
        const pages = openPages.length + paths.length;
        keepPages('console-sizes', { [`${filling}, ${locale}`]: { pages, widths, schemes, faults: found } });
        expect(found).toEqual([]);
        expect(scriptFaults).toEqual([]);
      });
    }
  });
}
