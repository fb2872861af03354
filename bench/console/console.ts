/**
 * Measures the performance of the built console: largest paint and layout shifts of its main pages on a slow phone,
 * interaction times at a quarter of the processor's speed, and scrolling through a million records of the log. With
 * `--beside`, the same first views of another console, from the folder of its build, in front of the same gateway.
 *
 *   node bench/console/console.ts [--write] [--rows N] [--beside FOLDER]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { addLogs } from '../../e2e/support/actions.ts';
import type { Gateway } from '../../e2e/support/gateway.ts';
import { furnish } from '../../e2e/support/pages.ts';
import { findChromium } from '../../scripts/steps/chromium.mjs';
import { startFakeUpstream } from '../../server/test/fakes/fake-upstream.ts';
import { signInTo } from '../../server/test/clients/management-client.ts';
import { rootPassword, startServer } from '../../server/test/processes/server-process.ts';
import { circumstances } from '../circumstances.ts';
import { readFirstView, scrollLog, watchInteractions, type FirstView, type Scrolling } from './console-gauges.ts';
import { serveForeignConsole } from './foreign-console.ts';
import { median } from '../median.ts';

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    rows: { type: 'string', default: '1000000' },
    beside: { type: 'string' },
  },
});

/** Pages that both consoles have; the first is opened signed out. */
const pages = ['/login', '/token', '/token/add', '/channel', '/channel/add', '/redemption', '/user', '/log', '/topup'];
const ours = ['/dashboard', '/dashboard?all=1', '/pricing', '/setting'];

/** 1.6 Mbit/s with a round trip of 150 ms: Lighthouse's slow phone. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const slowdown = 4;

const openContext = async (browser: Browser, url: string, size: 'phone' | 'desk'): Promise<BrowserContext> => {
  const viewport = size === 'phone' ? { width: 412, height: 823 } : { width: 1366, height: 768 };
  return browser.newContext({ viewport, baseURL: url, locale: 'en-US' });
};

const startSession = async (context: BrowserContext, url: string): Promise<void> => {
  const data = { username: 'root', password: rootPassword };
  const answer = await context.request.post(`${url}/api/user/login`, { data, headers: { origin: url } });
  const body: unknown = await answer.json();
  const user = typeof body === 'object' && body !== null && 'data' in body ? JSON.stringify(body.data) : '';
  await context.addInitScript((stored) => localStorage.setItem('user', stored), user);
};

/** Sum of the scripts of a page in KiB, gzip. */
const weighScripts = (page: Page): (() => Promise<number>) => {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  return async () => {
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return Number((bytes / 1024).toFixed(1));
  };
};

const slowDown = async (page: Page, network: boolean): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  if (network) await session.send('Network.emulateNetworkConditions', slowNetwork);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
};

const openCold = async (browser: Browser, url: string, path: string): Promise<FirstView> => {
  const context = await openContext(browser, url, 'phone');
  if (path !== '/login') await startSession(context, url);
  const page = await context.newPage();
  const weight = weighScripts(page);
  await slowDown(page, true);
  await page.goto(path, { timeout: 120_000 });
  await page.waitForLoadState('networkidle', { timeout: 120_000 });
  const view = await readFirstView(page);
  const scripts = await weight();
  await context.close();
  return { ...view, scripts };
};

/** Frequent interactions of a screen; each resolves once the screen shows the result. */
const interactions: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  '/token': async (page) => {
    await page
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('searchbox')
      .or(page.getByPlaceholder(/search/i))
      .first()
      .pressSequentially('prod');
    await page.getByRole('link', { name: 'Create token' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).pressSequentially('typed');
    await page.getByRole('switch', { name: 'Unlimited quota' }).press('Space');
  },
  '/channel/add': async (page) => {
    await page.getByRole('combobox', { name: 'Type' }).pressSequentially('Moonshot');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Offered models' }).pressSequentially('gpt');
    await page.keyboard.press('Escape');
  },
  '/setting?tab=operation': async (page) => {
    await page.getByRole('switch').first().press('Space');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').pressSequentially('chan');
  },
  '/log?range=30d': async (page) => {
    await page.getByRole('row').nth(3).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Cost' }).click();
    await page.getByRole('row').nth(3).press('ArrowDown');
  },
};

const openSlow = async (browser: Browser, url: string, path: string): Promise<Page> => {
  const context = await openContext(browser, url, 'desk');
  await startSession(context, url);
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await slowDown(page, false);
  return page;
};

const slowestOfVisit = async (browser: Browser, url: string, path: string): Promise<number> => {
  const page = await openSlow(browser, url, path);
  const read = await watchInteractions(page);
  await interactions[path]?.(page);
  const slowest = await read();
  await page.context().close();
  return slowest;
};

const visits = 3;
/** Records that the first views find. */
const filledRows = 3000;

/** The slowest interaction of a visit; the median of several visits, since single frames vary. */
const slowestInteraction = async (browser: Browser, url: string, path: string): Promise<number> => {
  const slowest: number[] = [];
  for (let visit = 0; visit < visits; visit += 1) slowest.push(await slowestOfVisit(browser, url, path));
  return median(slowest);
};

const heapBytes = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
};

const scrollAll = async (browser: Browser, url: string): Promise<Scrolling & { readonly heapGrowthMb: number }> => {
  const page = await openSlow(browser, url, '/log?range=30d');
  const before = await heapBytes(page);
  const scrolling = await scrollLog(page, 400);
  await page.waitForLoadState('networkidle');
  const heapGrowthMb = Number((((await heapBytes(page)) - before) / 1024 ** 2).toFixed(1));
  await page.context().close();
  return { ...scrolling, heapGrowthMb };
};

/** The medians of several visits: the time of a single one varies with what the machine does besides. */
const firstView = async (browser: Browser, url: string, path: string): Promise<FirstView> => {
  const seen: FirstView[] = [];
  for (let visit = 0; visit < visits; visit += 1) seen.push(await openCold(browser, url, path));
  const middle = (field: keyof FirstView): number => median(seen.map((view) => view[field]));
  return { largestPaint: middle('largestPaint'), layoutShift: middle('layoutShift'), scripts: middle('scripts') };
};

const firstViews = async (browser: Browser, url: string, paths: readonly string[]): Promise<Map<string, FirstView>> => {
  const views = new Map<string, FirstView>();
  for (const path of paths) {
    views.set(path, await firstView(browser, url, path));
    console.log(`${url}${path} ${JSON.stringify(views.get(path))}`);
  }
  return views;
};

const cells = (view: FirstView | undefined): string =>
  view
    ? `${view.scripts} | ${view.largestPaint === 0 ? '–' : (view.largestPaint / 1000).toFixed(2)} | ${view.layoutShift}`
    : '– | – | –';

interface Findings {
  readonly own: ReadonlyMap<string, FirstView>;
  readonly other: ReadonlyMap<string, FirstView>;
  readonly slowest: ReadonlyMap<string, number>;
  readonly scrolling: Scrolling & { readonly heapGrowthMb: number };
}

const reportOf = ({ own, other, slowest, scrolling }: Findings): string => {
  const { date, commit, machine, loadAverage } = circumstances();
  const { frames, p95FrameMs, mostRows, heapGrowthMb } = scrolling;
  return `# How the console feels

\`npm run bench:console\` on ${date} at ${commit}: ${machine}, load average ${loadAverage} (${loadAverage > 1 ? 'other work ran beside it: times are upper bounds' : 'quiet'}).
Beside it One API's default console, built from its public source, in front of the same gateway and served with gzip.

All JavaScript that arrives until the page rests, also what it fetches ahead (console-bytes.md has what it waits for).
First view with a cold cache, 412 × 823, 1.6 Mbit/s, round trip 150 ms, processor at a quarter; goals: largest paint 1.5 s
at the sign-in and 2.0 s elsewhere, shifts 0.02.

| page | JavaScript, KiB | largest paint, s | shifts | One API: KiB | paint, s | shifts |
| --- | --- | --- | --- | --- | --- | --- |
${[...own].map(([path, view]) => `| ${path} | ${cells(view)} | ${cells(other.get(path))} |`).join('\n')}

Slowest interaction of a visit (INP) with the processor at a quarter, the middle one of ${visits} visits; goals: 150 ms, 100 ms
in the log.

| page | ms |
| --- | --- |
${[...slowest].map(([path, duration]) => `| ${path} | ${duration} |`).join('\n')}

The log over ${Number(options.rows).toLocaleString('en')} records, ${frames} frames of scrolling with the processor at a quarter: p95 of a frame ${p95FrameMs} ms
(goal 34), at most ${mostRows} row elements (goal 60), heap ${heapGrowthMb} MB larger afterwards (goal 10).
`;
};

const besides = async (browser: Browser, gateway: string): Promise<Map<string, FirstView>> => {
  if (options.beside === undefined) return new Map();
  const console = await serveForeignConsole(options.beside, gateway);
  const views = await firstViews(browser, console.url, pages);
  console.close();
  return views;
};

const measureAll = async (browser: Browser, gateway: Gateway): Promise<string> => {
  await furnish(gateway);
  // What is inserted late moves nothing on an empty page.
  await addLogs(gateway, { count: filledRows, until: Math.floor(Date.now() / 1000) });
  const own = await firstViews(browser, gateway.url, [...pages, ...ours]);
  const other = await besides(browser, gateway.url);
  await addLogs(gateway, { count: Number(options.rows), until: Math.floor(Date.now() / 1000) });
  const slowest = new Map<string, number>();
  for (const path of Object.keys(interactions)) slowest.set(path, await slowestInteraction(browser, gateway.url, path));
  const scrolling = await scrollAll(browser, gateway.url);
  return reportOf({ own, other, slowest, scrolling });
};

const main = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-console-'));
  const upstream = await startFakeUpstream();
  const server = await startServer({ dataDir });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const signIn = (username = 'root', password = rootPassword) => signInTo(server.url, username, password);
    const report = await measureAll(browser, { url: server.url, upstream, dataDir, rootPassword, signIn });
    console.log(report);
    if (options.write) writeFileSync(join(import.meta.dirname, '..', 'results', 'console.md'), report);
  } finally {
    await browser.close();
    await server.stop('SIGTERM');
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

await main();
