import { expect, type Page } from '@playwright/test';
import { chat, prepareRelay } from './actions.ts';
import type { Gateway } from './gateway.ts';

/** Pages that need no sign-in. */
export const openPages: readonly string[] = [
  '/login',
  '/register?aff=ab12',
  '/reset',
  '/user/reset?email=ada%40example.com&token=0',
  '/oauth/github?code=c&state=s',
];

/** Pages of root, each at least once. */
export const guardedPages: readonly string[] = [
  '/',
  '/token',
  '/token/add',
  '/token/edit/1',
  '/token/1',
  '/token/1?tab=connect',
  '/channel',
  '/channel/add',
  '/channel/edit/1',
  '/channel/1',
  '/redemption',
  '/redemption/add',
  '/redemption/edit/1',
  '/topup',
  '/user',
  '/user/add',
  '/user/edit/1',
  '/dashboard',
  '/pricing?compare=gpt-4o-mini',
  '/playground?models=gpt-4o-mini,gpt-4o',
  '/audit',
  '/log',
  '/user/edit',
  '/setting',
  '/setting?tab=operation',
  '/setting?tab=system',
  '/setting?tab=other',
  '/about',
  '/chat',
  '/nowhere',
];

/** Creates data for every page. */
export const furnish = async (gateway: Gateway): Promise<void> => {
  const key = await prepareRelay(gateway);
  await chat(gateway, key, 'gpt-4o-mini');
  const root = await gateway.signIn();
  await root.call('POST', '/api/redemption/', { name: 'Spring', quota: 500_000, count: 2 });
  await root.call('PUT', '/api/option/', { key: 'LarkClientId', value: 'cli_offered_at_sign_in' });
};

/** The page at an address with everything it loads by itself. */
export const openWhole = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
};

/** Violations of the page's content security policy, and its script errors. */
export const watchFaults = (page: Page): readonly string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  return faults;
};
