import type { Page } from '@playwright/test';
import { prepareRelay, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test, type Gateway } from '../support/gateway.ts';

const set = async (gateway: Gateway, options: Readonly<Record<string, string>>): Promise<void> => {
  const root = await gateway.signIn();
  for (const [key, value] of Object.entries(options)) await root.call('PUT', '/api/option/', { key, value });
};

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Every entry, including those folded into the menu. */
const entriesOf = async (page: Page): Promise<readonly string[]> => {
  await expect(bar(page).getByRole('link', { name: 'Home' })).toBeVisible();
  const shown = await bar(page).getByRole('link').allTextContents();
  const more = page.getByRole('banner').getByRole('button', { name: 'More' });
  if (!(await more.isVisible())) return shown;
  await more.click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  const folded = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  // While it closes, the menu still covers the bar.
  await expect(page.getByRole('menu')).toHaveCount(0);
  return [...shown, ...folded];
};

const specified = ['Home', 'Channel', 'Token', 'Redemption', 'Top up', 'User', 'Log', 'Setting', 'About', 'Chat'];

test('SHELL-05 SHELL-06 SHELL-20 the bar has the entries that a role may use, in order, and folds those that do not fit', async ({
  page,
  gateway,
}) => {
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(bar(page).getByRole('link', { name: 'Channel' })).toHaveCount(0);

  const root = await gateway.signIn();
  const plain = { username: 'plain', password: 'a long enough password' };
  await root.call('POST', '/api/user/', plain);
  await signIn(page, gateway, '/token', plain);
  const own = await entriesOf(page);
  expect(own.filter((name) => specified.includes(name))).toEqual(
    specified.filter((name) => own.includes(name) && !['Channel', 'Redemption', 'User', 'Chat'].includes(name)),
  );
  for (const name of ['Home', 'Token', 'Log', 'Setting', 'About']) expect(own).toContain(name);

  await set(gateway, { ChatLink: 'https://chat.example', SystemName: 'A gateway with a rather long name' });
  await signIn(page, gateway);
  const all = await entriesOf(page);
  expect(all.filter((name) => specified.includes(name))).toEqual(specified.filter((name) => all.includes(name)));
  for (const name of ['Channel', 'Chat']) expect(all).toContain(name);

  await page.setViewportSize({ width: 800, height: 700 });
  await expect(page.getByRole('banner').getByRole('button', { name: 'More' })).toBeVisible();
  expect(await entriesOf(page)).toEqual(all);
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'About' }).click();
  await expect(page).toHaveURL(/\/about$/);
  await page.setViewportSize({ width: 1366, height: 768 });

  // Names of this length come from other servers.
  const long = (text: string): string => text.replace('"username":"root"', '"username":"a name of twenty two"');
  await page.route('**/api/user/self', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: long(await response.text()) });
  });
  const stored = await page.evaluate(() => localStorage.getItem('user') ?? '');
  await page.evaluate((user) => localStorage.setItem('user', user), long(stored));
  await page.reload();
  const account = page.getByRole('button', { name: 'Account: a name of twenty two' });
  await expect(account).toHaveText('a name of twent…');
  await account.click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expect(page.getByRole('menu')).toContainText('Balance $');
});

const routes = [
  '/',
  '/channel',
  '/channel/add',
  '/channel/edit/1',
  '/token',
  '/token/add',
  '/token/edit/1',
  '/redemption',
  '/redemption/add',
  '/redemption/edit/1',
  '/user',
  '/user/add',
  '/user/edit/2',
  '/user/edit',
  '/setting',
  '/topup',
  '/log',
  '/about',
  '/chat',
  '/login',
  '/register',
  '/reset',
  '/user/reset?email=a%40example.com&token=abc',
  '/oauth/github?code=a&state=b',
];

test('SHELL-01 SHELL-02 C60 every specified route exists at its path, also for a deep link; no other does', async ({
  page,
  gateway,
}) => {
  test.setTimeout(120_000);
  const missing = page.getByText('Page does not exist; check your browser address');
  await prepareRelay(gateway);
  const root = await gateway.signIn();
  await root.call('POST', '/api/redemption/', { name: 'gift', quota: 1, count: 1 });
  await root.call('POST', '/api/user/', { username: 'plain', password: 'a long enough password' });
  await set(gateway, { ChatLink: 'https://chat.example' });
  await page.route('https://chat.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'chat' }));
  // No answer: the screen waits to send the request again, and does not redirect.
  await page.route('**/api/oauth/github*', (route) => route.abort());
  await signIn(page, gateway, '/');
  for (const path of routes) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
    await expect(missing, path).toHaveCount(0);
  }
  const others = ['/settings', '/token/edit', '/oauth/elsewhere', '/channel/add/more', '/login/x'];
  const withoutId = [
    '/token/edit/abc',
    '/channel/edit/1a',
    '/redemption/edit/x',
    '/user/edit/x',
    '/token/x',
    '/channel/x',
  ];
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  for (const path of [...others, ...withoutId]) {
    await page.goto(path);
    await expect(missing, path).toBeVisible();
  }
  expect(calls.filter((url) => url.includes('NaN'))).toEqual([]);
});

test('SHELL-07 C1 C15 C38 the menu on a phone has every entry and sign-in or sign-out, and closes after each choice', async ({
  page,
  gateway,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register');
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();

  await set(gateway, { RegisterEnabled: 'false', SystemName: 'Acme AI Gateway of the North' });
  await page.reload();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(menu.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Register' })).toHaveCount(0);

  await signIn(page, gateway);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByRole('button', { name: 'Open menu' }).click();
  for (const choice of ['中文', 'Dark'])
    expect((await menu.getByRole('button', { name: choice }).boundingBox())?.height).toBeGreaterThanOrEqual(24);
  for (const word of ['Channel', 'Token', 'Redemption', 'Top up', 'User', 'Log', 'Setting']) {
    await menu.getByRole('link', { name: word, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(word, 'i') })).toBeVisible();
    await page.getByRole('button', { name: 'Open menu' }).click();
  }
  await menu.getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL(/\/about$/);
  await expect(menu).toHaveCount(0);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('SHELL-09 SHELL-10 SHELL-19 C66 before the server answers there are a name, a logo and texts, and the app stays usable', async ({
  page,
}) => {
  await page.route('**/api/status', (route) => route.abort());
  await page.goto('/');
  await expect(toast(page, 'cannot connect to server normally!')).toBeVisible();
  await expect(page).toHaveTitle('Home · Weir');
  await expect(page.getByRole('banner').locator('img')).toHaveAttribute('src', '/logo.svg');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  let goOn: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/assets/about-screen-*.js', async (route) => {
    await opened;
    await route.continue();
  });
  await bar(page).getByRole('link', { name: 'About' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'loading page ...' })).toBeVisible();
  goOn();
  await expect(page.getByRole('heading', { level: 1, name: 'Weir' })).toBeVisible();
  await expect(page.getByText('exact accounting, version unknown.')).toBeVisible();
});

test('SHELL-11 C55 the footer is the configured one, sanitised, else name and version', async ({ page, gateway }) => {
  await page.goto('/');
  await expect(page.getByRole('contentinfo')).toHaveText(/^Weir v\d+\.\d+\.\d+$/);
  await set(gateway, {
    Footer: '<i>House rules</i> <img src="/logo.svg" width="16"> and more<script>window.hacked = 1</script>',
  });
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(page.getByRole('contentinfo').getByText('House rules')).toHaveCSS('font-style', 'italic');
    // A badge stays in its line.
    const heights = await page
      .getByRole('contentinfo')
      .locator('.prose')
      .evaluate((text) => text.getBoundingClientRect().height);
    expect(heights, path).toBeLessThan(30);
  }
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);

  // If the status does not arrive, the one stored by another page is used within a second.
  await page.route('**/api/status', (route) => route.abort());
  await page.evaluate(() => {
    localStorage.removeItem('status');
    localStorage.removeItem('footer_html');
  });
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('footer_html', '<b>Stored later</b>'));
  await expect(page.getByRole('contentinfo').getByText('Stored later')).toBeVisible();
});

test('SHELL-12 SHELL-17 C65 OPT-Notice OPT-HomePageContent home shows the configured content, and each notice until it is dismissed', async ({
  page,
  gateway,
}) => {
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Base URL' })).toHaveValue(/\/v1$/);
  const image = `<img src="/logo.svg" alt="Ours" title="on time = style" onerror="window.hacked = 1" style='width:1px'>`;
  await set(gateway, { HomePageContent: `# Welcome\n\n- to **us**\n\n${image}`, Notice: 'Closed on *Sunday*' });
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  await page.reload();
  await expect(page.getByRole('img', { name: 'Ours' })).toHaveAttribute('title', 'on time = style');
  expect(violations).toEqual([]);
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect(page.getByText('us', { exact: true })).toHaveCSS('font-weight', '700');
  const notice = page.getByRole('region', { name: 'Notice' });
  await expect(notice.getByText('Sunday')).toHaveCSS('font-style', 'italic');
  await page.reload();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
  const flags = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('prompt-')));
  expect(flags).toEqual([[expect.stringMatching(/^prompt-/), 'true']]);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await set(gateway, { Notice: 'Open again' });
  await page.reload();
  await expect(notice).toHaveText(/Open again/);
});

test('SHELL-12 SHELL-13 SHELL-14 OPT-About OPT-ChatLink an address of another site is shown in a frame, full page', async ({
  page,
  gateway,
}) => {
  await page.goto('/about');
  await expect(page.getByText('Apache License 2.0')).toBeVisible();
  await page.goto('/chat');
  await expect(page.getByText('No chat page configured')).toBeVisible();
  await set(gateway, {
    HomePageContent: 'https://home.example/page',
    About: 'https://about.example',
    ChatLink: 'https://chat.example',
  });
  await page.route(/https:\/\/(?:home|about|chat)\.example/, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<h1>Another site: ${route.request().url()}</h1>` }),
  );
  for (const [path, title, address] of [
    ['/', 'Gateway home page', 'https://home.example/page'],
    ['/about', 'About', 'https://about.example/'],
    ['/chat', 'Chat', 'https://chat.example/'],
  ] as const) {
    await page.goto(path);
    const frame = page.locator(`iframe[title="${title}"]`);
    await expect(frame.contentFrame().getByRole('heading', { name: `Another site: ${address}` })).toBeVisible();
    const { height = 0, width = 0 } = (await frame.boundingBox()) ?? {};
    expect(Math.round(width), path).toBeGreaterThan(1200);
    expect(Math.round(height), path).toBeGreaterThan(550);
    await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
  }
  await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', 'https://chat.example');
  await set(gateway, { About: 'Run by **us**' });
  await page.goto('/about');
  await expect(page.getByText('us', { exact: true })).toHaveCSS('font-weight', '700');
});

test('SHELL-16 ERR-03 C3 a new version on the server is announced once, in a notice that stays and may hold HTML', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('contentinfo')).toHaveText(/Weir v/);
  await page.evaluate(() => {
    const status = localStorage.getItem('status') ?? '';
    localStorage.setItem('status', status.replace(/"build":"[^"]*"/, '"build":"v0.0.1"'));
    sessionStorage.setItem(
      'weir:toast',
      JSON.stringify({ kind: 'notice', text: '<b>Maintenance</b><img src=x onerror="window.hacked=1">' }),
    );
  });
  await page.clock.install();
  await page.reload();
  const news = toast(page, 'The gateway was updated. Reload the page to use the new version.');
  await expect(news).toBeVisible();
  await expect(toast(page, 'Maintenance')).toHaveCSS('font-weight', '700');
  await page.clock.runFor(60_000);
  await expect(news).toBeVisible();
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  await page.reload();
  await expect(page.getByRole('contentinfo')).toHaveText(/Weir v/);
  await expect(news).toHaveCount(0);

  // A page that stays open shows it when it is looked at again.
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"build":"[^"]*"/, '"build":"v9.9.9"') });
  });
  await page.clock.runFor(10 * 60_000);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(news).toBeVisible();
});

test('ERR-01 ERR-02 ERR-03 C59 each failure of a list has its specified text, and its toast its duration and position', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();
  const failures = [
    [{ status: 429, body: '' }, 'Error: too many requests, please try again later!', 'error'],
    [{ status: 500, body: '' }, 'Error: internal server error, please contact the administrator!', 'error'],
    [{ status: 405, body: '' }, 'this site is for demonstration only and has no server side!', 'info'],
    [{ status: 503, json: { success: false, message: 'Out of order' } }, 'Error: Out of order', 'error'],
    [{ status: 200, json: { success: false, message: 'The list is closed' } }, 'The list is closed', 'error'],
  ] as const;
  for (const [answer, text, kind] of failures) {
    await page.route('**/api/token/?*', (route) => route.fulfill(answer));
    await page.goto('/token');
    const shown = toast(page, text);
    await expect(shown).toBeVisible();
    await expect(page.locator(`[data-kind=${kind}]`).filter({ hasText: text })).toBeVisible();
    await page.unrouteAll();
  }
  await page.setViewportSize({ width: 600, height: 700 });
  const [box, width] = await Promise.all([
    page.getByRole('region', { name: 'Notifications' }).boundingBox(),
    page.evaluate(() => document.documentElement.clientWidth),
  ]);
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThan(12);
  // Below the bar, whose buttons stay free.
  const bottom = await page.getByRole('banner').evaluate((banner) => banner.getBoundingClientRect().bottom);
  expect(box?.y).toBeGreaterThanOrEqual(bottom);
});

test('without a network the bar shows since when, and controls that change data are disabled with the reason', async ({
  page,
  context,
  gateway,
}) => {
  await prepareRelay(gateway);
  await signIn(page, gateway);
  await expect(rowOf(page, 'Production')).toBeVisible();
  await page.getByRole('button', { name: 'Actions: Production' }).click();
  const disable = page.getByRole('menuitem', { name: /^Disable/ });
  await expect(disable).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText(/^You're offline\. Showing data from \d\d:\d\d\.$/)).toBeVisible();
  await expect(disable).toBeDisabled();
  await expect(disable).toContainText("You're offline. Changes can't be saved.");
  await expect(page.getByRole('menuitem', { name: 'Copy key' })).toBeEnabled();
  await context.setOffline(false);
  await expect(disable).toBeEnabled();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await context.setOffline(true);
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await expect(save).toHaveAccessibleDescription("You're offline. Changes can't be saved.");
  // Clicked by script, which the disabled control does not stop: the call itself is refused.
  await page.locator('form[novalidate]').evaluate((form) => form instanceof HTMLFormElement && form.requestSubmit());
  await expect(toast(page, "Error: You're offline. Nothing was changed.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^You're offline/)).toHaveCount(0);
  await save.click();
  await expect(rowOf(page, 'Renamed')).toBeVisible();
});
