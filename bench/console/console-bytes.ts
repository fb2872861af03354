/**
 * Measures the bytes of a first visit to each screen of the built console: JavaScript and the page with its inlined
 * styles, as sent (gzip). Starts a gateway on a new data directory, or uses the one at WEIR_URL.
 *
 *   node bench/console/console-bytes.ts [--write]
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';

interface Budget {
  readonly path: string;
  readonly signedIn: boolean;
  /** KiB of JavaScript, gzip (console design §2). */
  readonly limit: number;
}

const budgets: readonly Budget[] = [
  { path: '/login', signedIn: false, limit: 80 },
  { path: '/', signedIn: false, limit: 130 },
  { path: '/token', signedIn: true, limit: 130 },
  { path: '/token/add', signedIn: true, limit: 140 },
  { path: '/channel', signedIn: true, limit: 130 },
  { path: '/log', signedIn: true, limit: 135 },
  { path: '/user/edit', signedIn: true, limit: 140 },
];
const cssLimit = 12;

const root = join(import.meta.dirname, '..', '..');
const rootPassword = 'only-for-measuring-1';
const launchArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const kib = (bytes: number): string => (bytes / 1024).toFixed(1);

/** Starts a gateway on a free port. */
const startGateway = async (): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'weir-bytes-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', INITIAL_ROOT_PASSWORD: rootPassword };
  const gateway = spawn(process.execPath, [join(root, 'server', 'src', 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    gateway.stdout.on('data', (chunk: Buffer) => {
      const port = /ready on http:\/\/localhost:(\d+)/.exec(chunk.toString())?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
    gateway.on('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
  });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => gateway.once('exit', resolve));
    gateway.kill();
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, stop };
};

interface Weight {
  readonly scripts: number;
  readonly bytes: number;
}

/** Bytes of a body as sent to a client that accepts gzip: the browser itself would get Brotli from this machine. */
const gzipSize = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });

/** Sum of the scripts that a page requests. */
const watchScripts = (page: Page): (() => Promise<Weight>) => {
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) scripts.add(request.url());
  });
  return async () => {
    const sizes = await Promise.all([...scripts].map(gzipSize));
    return { scripts: scripts.size, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  };
};

const signIn = async (url: string): Promise<{ readonly cookie: string; readonly user: string }> => {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username: 'root', password: process.env['WEIR_PASSWORD'] ?? rootPassword }),
  });
  const body: unknown = await answer.json();
  if (typeof body !== 'object' || body === null || !('data' in body)) throw new Error('signing in failed');
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return { cookie, user: JSON.stringify(body.data) };
};

const measure = async (browser: Browser, url: string, { path, signedIn }: Budget): Promise<Weight> => {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  if (signedIn) {
    const { cookie, user } = await signIn(url);
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    await context.addInitScript((stored) => localStorage.setItem('user', stored), user);
  }
  const page = await context.newPage();
  const weight = watchScripts(page);
  await page.goto(url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const measured = await weight();
  await context.close();
  return measured;
};

const styleBytes = async (): Promise<number> => {
  const page = await readFile(join(root, 'console', 'dist', 'index.html'), 'utf8');
  return gzipSync(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '', { level: 9 }).length;
};

const main = async (): Promise<void> => {
  const given = process.env['WEIR_URL'];
  const gateway = given === undefined ? await startGateway() : { url: given, stop: async () => undefined };
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: launchArgs,
  });
  const lines = ['| screen | scripts | JavaScript, KiB gzip | limit |', '| --- | --- | --- | --- |'];
  let over = 0;
  try {
    for (const budget of budgets) {
      const { scripts, bytes } = await measure(browser, gateway.url, budget);
      if (bytes > budget.limit * 1024) over += 1;
      lines.push(`| ${budget.path} | ${scripts} | ${kib(bytes)} | ${budget.limit} |`);
    }
  } finally {
    await browser.close();
    await gateway.stop();
  }
  const css = await styleBytes();
  if (css > cssLimit * 1024) over += 1;
  lines.push(`| all styles (inlined) | | ${kib(css)} | ${cssLimit} |`);
  const report = `# First view of the console\n\nCold cache, 1366 × 768, Chromium; bodies as sent, without headers. \`node bench/console/console-bytes.ts --write\`\n\n${lines.join('\n')}\n`;
  console.log(report);
  if (process.argv.includes('--write')) await writeFile(join(root, 'bench', 'results', 'console-bytes.md'), report);
  if (over > 0) process.exitCode = 1;
};

await main();
