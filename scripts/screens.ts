/**
 * Takes screenshots of the built console with a month of sample data: one for the README and, for each page, a sheet of
 * both themes and languages at two widths. `npm run screens [-- PAGE …]`; with pages, only their sheets. Starts a
 * gateway and an upstream on loopback and removes both.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { screens } from '../e2e/support/screens.ts';
import { startFakeUpstream } from '../server/test/fakes/fake-upstream.ts';
import { signInTo } from '../server/test/clients/management-client.ts';
import { rootPassword, startServer } from '../server/test/processes/server-process.ts';
import { ensureChromium } from './steps/chromium.mjs';
import { root } from './steps/root.mjs';
import { furnish } from './samples/sample-gateway.ts';
import { addMonth } from './samples/sample-month.ts';
import { addRuns, type Call } from './samples/sample-rules.ts';

const folder = join(root, 'docs', 'screens');

interface Sheet {
  readonly path: string;
  readonly signedOut?: true;
  /** Actions before the screenshot is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

const sendPrompt = async (page: Page): Promise<void> => {
  const question = page.getByRole('main').getByRole('textbox').last();
  await question.fill('Name three rivers of Europe.');
  await question.press('Enter');
  // Both answers with their costs.
  await page.locator('article a[href^="/log"]').nth(1).waitFor();
  await page.mouse.move(0, 0);
};

const seeRecord = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').getByRole('heading').first().waitFor();
};

/** The events of an OpenAI stream with this text and its usage. */
const answerEvents = (text: string): readonly string[] => {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'gpt-5' };
  const words = text.split(/(?<= )/);
  const parts = words.map((content) => ({
    ...chunk,
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }));
  const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const usage = { prompt_tokens: 14, completion_tokens: 9, total_tokens: 23 };
  const events = [...parts, end, { ...chunk, choices: [], usage }].map((event) => JSON.stringify(event));
  return [...events, '[DONE]'].map((event) => `data: ${event}\n\n`);
};

interface SampleIds {
  /** Ids of a token, of one of the second user, of a team, of one of its tokens, of a run and of a log record. */
  readonly key: number;
  readonly managed: number;
  readonly team: number;
  readonly teamKey: number;
  readonly run: number;
  readonly record: number;
  /** Of the record, in Unix seconds. */
  readonly at: number;
}

/** Pages that are no screen of the table, and more states of those that are. */
const morePages = ({ key, record, at }: SampleIds): Readonly<Record<string, Sheet>> => ({
  login: { path: '/login', signedOut: true },
  register: { path: '/register', signedOut: true },
  reset: { path: '/reset', signedOut: true },
  playground: { path: '/playground?models=gpt-5-mini,gpt-5', act: sendPrompt },
  'dashboard-all-users': { path: '/dashboard?all=1&range=30d&by=user' },
  'token-id-connect': { path: `/token/${key}?tab=connect` },
  'log-record': { path: `/log?id=${record}&at=${at}`, act: seeRecord },
  'setting-operation': { path: '/setting?tab=operation' },
  'setting-system': { path: '/setting?tab=system' },
  'setting-other': { path: '/setting?tab=other' },
  'not-found': { path: '/nowhere' },
});

const sheetsOf = (ids: SampleIds): Readonly<Record<string, Sheet>> => {
  const idIn = (path: string): string => {
    if (path.startsWith('/token')) return String(ids.key);
    if (path.startsWith('/team')) return String(ids.team);
    if (path.startsWith('/run')) return String(ids.run);
    // The first user is root.
    return path.startsWith('/user') ? '2' : '1';
  };
  const keyIn = (path: string): number => (path.startsWith('/team') ? ids.teamKey : ids.managed);
  const ofTable = screens.map(({ path }): [name: string, sheet: Sheet] => [
    path === '/' ? 'home' : path.slice(1).replaceAll(/\/:?/g, '-'),
    { path: path.replace(':id', idIn(path)).replace(':token', String(keyIn(path))) },
  ]);
  return { ...Object.fromEntries(ofTable), ...morePages(ids) };
};

const large = { viewport: { width: 1280, height: 800 } };
const small = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };
const looks = [
  { colorScheme: 'light', locale: 'en-US', ...large },
  { colorScheme: 'dark', locale: 'zh-CN', ...large },
  { colorScheme: 'light', locale: 'zh-CN', ...small },
  { colorScheme: 'dark', locale: 'en-US', ...small },
] as const;
/** Scale of a screenshot on its sheet. */
const scale = 0.6;

/** Creates a session over the API, as the browser tests do. */
const signIn = async (context: BrowserContext, url: string): Promise<void> => {
  const data = { username: 'root', password: rootPassword };
  const answer = await context.request.post(`${url}/api/user/login`, { data, headers: { origin: url } });
  const body: unknown = await answer.json();
  const user = typeof body === 'object' && body !== null && 'data' in body ? JSON.stringify(body.data) : '';
  await context.addInitScript((stored) => localStorage.setItem('user', stored), user);
};

/** Screenshot of a page after its data is loaded. */
const shoot = async (context: BrowserContext, { path, act }: Sheet): Promise<Buffer> => {
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await act?.(page);
  const shot = await page.screenshot({ animations: 'disabled' });
  await page.close();
  return shot;
};

/** Combines the screenshots of a page side by side. */
const compose = async (browser: Browser, file: string, shots: readonly Buffer[]): Promise<void> => {
  const width = looks.reduce((sum, { viewport }) => sum + viewport.width * scale + 8, 8);
  const height = large.viewport.height * scale;
  const context = await browser.newContext({ viewport: { width: Math.ceil(width), height: height + 16 } });
  const page = await context.newPage();
  const pictures = shots.map(
    (shot) => `<img src="data:image/png;base64,${shot.toString('base64')}" height="${height}">`,
  );
  await page.setContent(
    `<body style="margin:0;padding:8px;display:flex;gap:8px;background:#777">${pictures.join('')}</body>`,
  );
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 76 });
  writeFileSync(join(folder, file), Buffer.from(data, 'base64'));
  await context.close();
};

const makeSheets = async (browser: Browser, url: string, sheets: Readonly<Record<string, Sheet>>): Promise<void> => {
  const visitors = await Promise.all(looks.map((look) => browser.newContext({ ...look, baseURL: url })));
  const members = await Promise.all(looks.map((look) => browser.newContext({ ...look, baseURL: url })));
  for (const context of members) await signIn(context, url);
  for (const [name, sheet] of Object.entries(sheets)) {
    const shots: Buffer[] = [];
    for (const context of sheet.signedOut ? visitors : members) shots.push(await shoot(context, sheet));
    await compose(browser, `${name}.webp`, shots);
    console.log(name);
  }
  for (const context of [...visitors, ...members]) await context.close();
};

/** The screenshot of the README. */
const photographLog = async (browser: Browser, url: string): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-US', baseURL: url });
  await signIn(context, url);
  writeFileSync(join(folder, 'log.png'), await shoot(context, { path: '/log' }));
  await context.close();
};

const findSampleIds = async (call: Call): Promise<SampleIds> => {
  const [key] = await call<{ readonly id: number }[]>('GET', '/api/token/search?keyword=website');
  const [managed] = await call<{ readonly id: number }[]>('GET', '/api/user/2/token/?p=0');
  const [team] = await call<{ readonly id: number }[]>('GET', '/api/team/');
  const [teamKey] = await call<{ readonly id: number }[]>('GET', `/api/team/${team?.id}/token/?p=0`);
  const run = (await call<{ readonly id: number }[]>('GET', '/api/run/')).at(-1);
  const [record] = await call<{ readonly id: number; readonly created_at: number }[]>('GET', '/api/log/?p=0&type=2');
  const idOf = (row: { readonly id: number } | undefined): number => row?.id ?? 0;
  const ids = { key: idOf(key), managed: idOf(managed), team: idOf(team), teamKey: idOf(teamKey), run: idOf(run) };
  return { ...ids, record: idOf(record), at: record?.created_at ?? 0 };
};

mkdirSync(folder, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'weir-screens-'));
const upstream = await startFakeUpstream();
upstream.behave(() => ({ events: answerEvents('The Danube, the Rhine and the Loire.') }));
const first = await startServer({ dataDir });
try {
  await furnish(first.url, upstream);
} finally {
  await first.stop('SIGTERM');
}
await addMonth(dataDir);
const server = await startServer({ dataDir });
const executablePath = await ensureChromium();
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const pages = process.argv.slice(2);
  const { call } = await signInTo(server.url, 'root', rootPassword);
  if (pages.length === 0) await photographLog(browser, server.url);
  const draw = async (isDrawn: (name: string) => boolean): Promise<void> => {
    const sheets = Object.entries(sheetsOf(await findSampleIds(call)));
    const chosen = sheets.filter(([name]) => isDrawn(name) && (pages.length === 0 || pages.includes(name)));
    await makeSheets(browser, server.url, Object.fromEntries(chosen));
  };
  const isOfRuns = (name: string): boolean => name === 'run' || name === 'run-id';
  await draw((name) => !isOfRuns(name));
  // Last: its calls would be the first rows of the log.
  await addRuns(server.url, call);
  await draw(isOfRuns);
} finally {
  await browser.close();
  await server.stop('SIGTERM');
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
}
