import { expect, type Page } from '@playwright/test';
import { chat, prepareRelay } from './actions.ts';
import type { Gateway } from './gateway.ts';
import { screens } from './screens.ts';

/** Pages that need no sign-in. */
export const openPages: readonly string[] = [
  '/login',
  '/register?aff=ab12',
  '/reset',
  '/user/reset?email=ada%40example.com&token=0',
  '/oauth/github?code=c&state=s',
];

/** The path of a screen of the table. `furnish` creates the second user, the team, which is the third, and keys of both. */
const addressOf = (path: string): string =>
  path
    .replace('/user/tokens/:id/edit/:token', '/user/tokens/2/edit/2')
    .replace('/team/tokens/:id/edit/:token', '/team/tokens/3/edit/4')
    .replace('/user/tokens/:id', '/user/tokens/2')
    .replace(/^\/team(\/tokens)?\/:id/, '/team$1/3')
    .replace(':id', '1');

/** Parameters with which a screen is opened instead of none, or one time each. */
const queries: Readonly<Record<string, readonly string[]>> = {
  '/token/:id': ['', '?tab=connect'],
  '/pricing': ['?compare=gpt-4o-mini'],
  '/playground': ['?models=gpt-4o-mini,gpt-4o'],
  '/setting': ['', '?tab=operation', '?tab=system', '?tab=other'],
};

/** Pages of root: every screen of the console's table, and a path that has none. */
export const guardedPages: readonly string[] = [
  ...screens.flatMap(({ path }) => (queries[path] ?? ['']).map((query) => addressOf(path) + query)),
  '/nowhere',
];

/** Creates data for every page. */
export const furnish = async (gateway: Gateway): Promise<void> => {
  const key = await prepareRelay(gateway);
  await chat(gateway, key, 'gpt-4o-mini', { headers: { 'x-run-id': 'nightly-report', 'x-run-step': 'plan/search' } });
  const root = await gateway.signIn();
  await root.call('POST', '/api/user/', { username: 'ada', password: 'correct horse 9' });
  await root.call('POST', '/api/user/2/token/', { name: 'Notebook', remain_quota: 500_000, models: 'gpt-4o-mini' });
  await root.call('POST', '/api/team/', { name: 'research', display_name: 'Research', manager: 'ada' });
  await root.call('POST', '/api/team/3/token/', { name: 'Crawler', unlimited_quota: true });
  await root.call('POST', '/api/key-preset/', { name: 'Course', remain_quota: 500_000, days: 30 });
  await root.call('POST', '/api/invitation/', { name: 'Autumn school', team_id: 3, preset_id: 1, uses_max: 30 });
  await root.call('POST', '/api/redemption/', { name: 'Spring', quota: 500_000, count: 2 });
  await root.call('POST', '/api/rate-limit/', { scope: 'user', metric: 'requests', period: 'day', amount: 1_000_000 });
  const budget = { scope: 'token', subject_id: 1, period: 'day', zone: 'UTC', amount: 500_000 };
  await root.call('POST', '/api/budget/', budget);
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

/** Creates the longest names and the largest numbers that the gateway takes, for every list. */
export const furnishExtremes = async (gateway: Gateway): Promise<void> => {
  const root = await gateway.signIn();
  const model = 'anthropic.claude-very-long-model-name-with-every-suffix-2026-11-23-preview-v1:0';
  const key = await prepareRelay(gateway, model);
  await root.call('PUT', '/api/option/', { key: 'SystemName', value: 'Acme Artificial Intelligence Gateway' });
  await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [model]: 999_999 }) });
  const largest = 1_000_000_000_000_000;
  const longName = 'Production key of the document understanding service in Frankfurt and São Paulo';
  await root.call('PUT', '/api/user/', { id: 1, username: 'root', display_name: 'Wolfeschlegelstein', quota: largest });
  await root.call('POST', '/api/channel/', {
    type: 33,
    name: `Bedrock, ${longName}`,
    key: 'sk-x',
    base_url: `https://an-extremely-long-host-name.${'subdomain.'.repeat(6)}example.com`,
    models: Array.from({ length: 40 }, (_, index) => `${model}-${index}`).join(','),
    group: 'default,vip,svip',
    priority: 999_999,
  });
  await root.call('POST', '/api/token/', { name: longName.slice(0, 30), remain_quota: largest, expired_time: -1 });
  await root.call('POST', '/api/redemption/', { name: longName.slice(0, 20), quota: 1_000_000_000_000, count: 3 });
  await root.call('POST', '/api/rate-limit/', {
    scope: 'channel_key_model',
    subject: '1/1',
    model: `${model}-0`,
    metric: 'tokens',
    period: 'day',
    amount: 1_000_000_000_000,
  });
  const budget = { period: 'month', zone: 'America/Argentina/ComodRivadavia', amount: largest, rollover: true };
  await root.call('POST', '/api/budget/', { scope: 'model', model: `${model}-0`, ...budget });
  await root.call('POST', '/api/budget/', { scope: 'token', subject_id: 1, ...budget });
  await root.call('POST', '/api/user/', {
    username: 'wolfeschlege',
    password: 'correct horse 9',
    display_name: 'Wolfeschlegelsteinh',
  });
  await root.call('POST', '/api/team/', {
    name: 'zwolfbuchsta',
    display_name: 'Forschungsabteilungs',
    manager: 'wolfeschlege',
  });
  await root.call('POST', '/api/key-preset/', {
    name: longName.slice(0, 30),
    remain_quota: largest,
    days: 3650,
    models: Array.from({ length: 40 }, (_, index) => `${model}-${index}`).join(','),
  });
  await root.call('POST', '/api/invitation/', { name: longName.slice(0, 40), preset_id: 1, uses_max: 10_000 });
  await chat(gateway, key, model);
  await chat(gateway, key, model, { stream: true });
  await chat(gateway, 'sk-unknown-key', model);
};
