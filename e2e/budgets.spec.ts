import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { prepareRelay, signIn } from './actions.ts';
import { expect, test } from './gateway.ts';

const kilobyte = 1024;
const built = join(import.meta.dirname, '..', 'console', 'dist');

/** JavaScript of a first view as it came over the wire, in bytes. */
const scriptBytes = async (page: Page, path: string): Promise<number> => {
  // What an earlier page still loads is not this one's.
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (/javascript/.test(response.mimeType)) scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const first = bytes;
  await session.detach();
  return first;
};

test('the first view of the sign-in carries at most 75 KB of JavaScript', async ({ page }) => {
  expect(await scriptBytes(page, '/login')).toBeLessThanOrEqual(75 * kilobyte);
});

test('the first views of the lists carry at most 140 KB of JavaScript', async ({ page, gateway }) => {
  await prepareRelay(gateway);
  await signIn(page, gateway);
  expect(await scriptBytes(page, '/token'), '/token').toBeLessThanOrEqual(140 * kilobyte);
  expect(await scriptBytes(page, '/channel'), '/channel').toBeLessThanOrEqual(140 * kilobyte);
  expect(await scriptBytes(page, '/user'), '/user').toBeLessThanOrEqual(140 * kilobyte);
  expect(await scriptBytes(page, '/redemption'), '/redemption').toBeLessThanOrEqual(140 * kilobyte);
  expect(await scriptBytes(page, '/log'), '/log').toBeLessThanOrEqual(140 * kilobyte);
});

test('all styles are at most 12 KB, and no script that comes later is larger than 75 KB', () => {
  const styles = /<style>([\s\S]*?)<\/style>/.exec(readFileSync(join(built, 'index.html'), 'utf8'))?.[1] ?? '';
  expect(styles).toContain('--brand');
  expect(gzipSync(styles, { level: 9 }).length).toBeLessThanOrEqual(12 * kilobyte);
  const scripts = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js.gz'));
  expect(scripts.length).toBeGreaterThan(20);
  const large = scripts.filter((name) => statSync(join(built, 'assets', name)).size > 75 * kilobyte);
  expect(large).toEqual([]);
});
