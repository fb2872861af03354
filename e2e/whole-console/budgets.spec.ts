import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { addLogs, signIn } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';
import { furnish } from '../support/pages.ts';

const kilobyte = 1024;
const built = join(import.meta.dirname, '..', '..', 'console', 'dist');

/**
 * JavaScript that a first view waits for, gzip, in KB: the scripts that the page names for its URL, which is everything
 * the screen's modules import. Prefetches in idle time depend on the machine and are not counted.
 */
const firstView = async (page: Page, path: string): Promise<number> => {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const named = await page
    .locator('link[rel=modulepreload], script[type=module]')
    .evaluateAll((elements) => elements.map((each) => each.getAttribute('href') ?? each.getAttribute('src') ?? ''));
  // Absolute URLs are scripts that were loaded later: the loader of the build names them like this.
  const files = [...new Set(named)].filter((file) => file.startsWith('/'));
  expect(files.length, path).toBeGreaterThan(3);
  return files.reduce((sum, file) => sum + statSync(join(built, `${file}.gz`)).size, 0) / kilobyte;
};

test('the first view of the sign-in carries at most 80 KB of JavaScript', async ({ page }) => {
  expect(await firstView(page, '/login')).toBeLessThanOrEqual(80);
});

/** Requests for the lists: two for one list mean that the page's preload was wasted. */
const countLists = (page: Page): (() => readonly string[]) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/(?:token|channel|log)\/\?p=0/.test(request.url())) requests.push(request.url());
  });
  return () => requests;
};

test('the first views of the lists carry at most 130 KB of JavaScript, the log 135, and request their list once', async ({
  page,
  gateway,
}) => {
  await furnish(gateway);
  await signIn(page, gateway, '/about');
  const lists = countLists(page);
  for (const [path, limit] of [
    ['/token', 130],
    ['/channel', 130],
    ['/user', 130],
    ['/redemption', 130],
    ['/log', 135],
  ] as const) {
    expect(await firstView(page, path), path).toBeLessThanOrEqual(limit);
  }
  await page.waitForLoadState('networkidle');
  expect(lists()).toHaveLength(3);
});

test('C17 nothing moves when the data of a page arrives, on a phone and on a laptop', async ({ page, gateway }) => {
  await furnish(gateway);
  // More records than one part of the log's page.
  await addLogs(gateway, { count: 200, until: Math.floor(Date.now() / 1000) });
  await page.setViewportSize({ width: 375, height: 812 });
  await signIn(page, gateway, '/about');
  // Answers are held back until the page is drawn without them.
  let drawn = Promise.withResolvers<void>();
  await page.route(/\/api\/(?!status)/, async (route) => {
    await drawn.promise;
    await route.continue();
  });
  const phone = ['/token', '/channel', '/log', '/dashboard', '/pricing', '/setting'].map(
    (path) => [path, 375] as const,
  );
  for (const [path, width] of [...phone, ['/dashboard', 1280] as const, ['/log', 1280] as const]) {
    await page.setViewportSize({ width, height: 812 });
    drawn = Promise.withResolvers();
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    drawn.resolve();
    await page.waitForLoadState('networkidle');
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          const observer = new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value);
          });
          observer.observe({ type: 'layout-shift', buffered: true });
          // Buffered entries are delivered before the second frame after this.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        }),
    );
    expect(shifts, `${path} at ${width} px`).toBeLessThanOrEqual(0.02);
  }
});

test('C17 a second page of records that arrives first waits for the first page', async ({ page, gateway }) => {
  await addLogs(gateway, { count: 40, until: Math.floor(Date.now() / 1000) });
  await page.setViewportSize({ width: 375, height: 812 });
  await signIn(page, gateway, '/about');
  const first = Promise.withResolvers<void>();
  await page.route(/\/api\/log\/\?.*\bp=0\b/, async (route) => {
    await first.promise;
    await route.continue();
  });
  const second = page.waitForResponse(/\/api\/log\/\?.*\bp=1\b/);
  await page.goto('/log', { waitUntil: 'commit' });
  await (await second).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('button') })).toHaveCount(0);
  first.resolve();
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('button') })).toHaveCount(20);
});

test('C24 on a phone the total cost of the records is not taken for the length of their list', async ({
  page,
  gateway,
}) => {
  await addLogs(gateway, { count: 40, until: Math.floor(Date.now() / 1000) });
  await page.setViewportSize({ width: 375, height: 812 });
  await signIn(page, gateway, '/log?total=1');
  await expect(page.getByText(/Total cost:.*\d/)).toBeVisible();
  await expect(page.getByText('Rows 1–20 · more available')).toBeVisible();
});

test('all styles are at most 12 KB, and no script that is loaded later is larger than 75 KB', () => {
  const styles = /<style>([\s\S]*?)<\/style>/.exec(readFileSync(join(built, 'index.html'), 'utf8'))?.[1] ?? '';
  expect(styles).toContain('--brand');
  expect(gzipSync(styles, { level: 9 }).length).toBeLessThanOrEqual(12 * kilobyte);
  const scripts = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js.gz'));
  expect(scripts.length).toBeGreaterThan(20);
  const large = scripts.filter((name) => statSync(join(built, 'assets', name)).size > 75 * kilobyte);
  expect(large).toEqual([]);
});
