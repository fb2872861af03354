/**
 * Runs Lighthouse on the main pages of the built console, signed in, on its simulated slow phone, through nginx with TLS
 * and HTTP/2. Lighthouse is no package of this repository: the argument is the path of an installation.
 *
 *   node bench/console/lighthouse.ts path/to/lighthouse/cli/index.js [--write] [pages, by default the twelve]
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { chromium, type BrowserContext } from '@playwright/test';
import { signIn } from '../../e2e/support/actions.ts';
import type { Gateway } from '../../e2e/support/gateway.ts';
import { furnish } from '../../e2e/support/pages.ts';
import { findChromium } from '../../scripts/steps/chromium.mjs';
import { startFakeUpstream } from '../../server/test/fakes/fake-upstream.ts';
import { signInTo } from '../../server/test/clients/management-client.ts';
import { rootPassword, startServer } from '../../server/test/processes/server-process.ts';
import { circumstances } from '../circumstances.ts';
import { startTlsProxy } from './tls-proxy.ts';

const { values: options, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const signedOut = '/login';
const twelve = [
  signedOut,
  '/',
  '/token',
  '/token/add',
  '/channel',
  '/channel/add',
  '/redemption',
  '/user',
  '/log',
  '/topup',
  '/dashboard',
  '/setting',
];
const [program, ...chosen] = positionals;
if (program === undefined) throw new Error('Usage: node bench/console/lighthouse.ts path/to/lighthouse/cli/index.js');
const pages = chosen.length > 0 ? chosen : twelve;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];
const goal = 99;

interface Audit {
  readonly title: string;
  readonly score: number | null;
  readonly displayValue?: string;
}

interface Report {
  readonly categories: Readonly<
    Record<Category, { readonly score: number | null; readonly auditRefs: readonly { readonly id: string }[] }>
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}

interface Judged {
  readonly scores: readonly number[];
  /** Failed audits outside of the performance category. */
  readonly faults: readonly string[];
  /** What the performance score is made of. */
  readonly times: string;
}

const timings = [
  'first-contentful-paint',
  'speed-index',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
] as const;

const judge = (report: Report): Judged => {
  const lost = categories.slice(1).flatMap((category) =>
    report.categories[category].auditRefs.flatMap(({ id }) => {
      const audit = report.audits[id];
      return audit !== undefined && audit.score !== null && audit.score < 1 ? [`${category}: ${audit.title}`] : [];
    }),
  );
  return {
    scores: categories.map((category) => Math.round((report.categories[category].score ?? 0) * 100)),
    faults: lost,
    times: timings.map((id) => `${report.audits[id]?.title}: ${report.audits[id]?.displayValue}`).join(', '),
  };
};

const run = promisify(execFile);

const askOnce = async (cli: string, url: string, port: string): Promise<Judged> => {
  const { stdout } = await run(
    process.execPath,
    [
      cli,
      url,
      `--port=${port}`,
      '--disable-storage-reset',
      '--output=json',
      '--quiet',
      `--only-categories=${categories.join(',')}`,
    ],
    { maxBuffer: 64 * 1024 ** 2, timeout: 180_000 },
  );
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- the structure of Lighthouse's own report
  const report: Report = JSON.parse(stdout);
  return judge(report);
};

const views = 3;

/** The median view, by performance score, of several with an empty cache. */
const ask = async (context: BrowserContext, cli: string, url: string, port: string): Promise<Judged> => {
  const judged: Judged[] = [];
  while (judged.length < views) {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await page.close();
    // Sometimes Lighthouse records nothing, and its own message is to run it again.
    judged.push(await askOnce(cli, url, port).catch(() => askOnce(cli, url, port)));
  }
  const bySpeed = judged.toSorted(({ scores: [one = 0] }, { scores: [other = 0] }) => one - other);
  return bySpeed[Math.floor(views / 2)] ?? { scores: [], faults: [], times: '' };
};

const reportOf = (judged: ReadonlyMap<string, Judged>): string => {
  const { date, commit, machine, loadAverage } = circumstances();
  const faults = [...judged].flatMap(([path, each]) => each.faults.map((fault) => `- ${path}: ${fault}`));
  return `# Lighthouse

\`node bench/console/lighthouse.ts\` on ${date} at ${commit}: ${machine}, load average ${loadAverage} (${loadAverage > 1 ? 'other work ran beside it: speed is a lower bound' : 'quiet'}).
Through nginx with TLS and HTTP/2. Lighthouse's simulated slow phone with an empty cache, the middle one of ${views} views; ${signedOut} signed out, the others as
root. Goal: ${goal} in each.

| page | performance | accessibility | best practices | SEO |
| --- | --- | --- | --- | --- |
${[...judged].map(([path, { scores }]) => `| ${path} | ${scores.join(' | ')} |`).join('\n')}
${faults.length > 0 ? `\nWhat cost points outside of speed:\n\n${faults.join('\n')}\n` : '\nNothing outside of speed cost a point.\n'}`;
};

const judgeAll = async (cli: string, gateway: Gateway): Promise<Map<string, Judged>> => {
  const profile = mkdtempSync(join(tmpdir(), 'weir-lighthouse-'));
  const executablePath = findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--remote-debugging-port=0',
      '--ignore-certificate-errors',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    ignoreHTTPSErrors: true,
    baseURL: gateway.url,
  });
  const judged = new Map<string, Judged>();
  try {
    const [port = ''] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
    const look = async (path: string): Promise<void> => {
      const result = await ask(context, cli, gateway.url + path, port);
      judged.set(path, result);
      console.log(`${path} ${result.scores.join(' ')} ${result.times} ${result.faults.join('; ')}`);
    };
    if (pages.includes(signedOut)) await look(signedOut);
    const page = await context.newPage();
    await signIn(page, gateway, '/about');
    await page.close();
    for (const path of pages.filter((each) => each !== signedOut)) await look(path);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
  return judged;
};

const main = async (cli: string): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-lighthouse-'));
  const upstream = await startFakeUpstream();
  const server = await startServer({ dataDir, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const proxy = await startTlsProxy(server.url);
  try {
    const signInAs = (username = 'root', password = rootPassword) => signInTo(server.url, username, password);
    const gateway = { url: server.url, upstream, server, dataDir, rootPassword, signIn: signInAs };
    await furnish(gateway);
    const report = reportOf(await judgeAll(cli, { ...gateway, url: proxy.url }));
    console.log(report);
    if (options.write) writeFileSync(join(import.meta.dirname, '..', 'results', 'lighthouse.md'), report);
  } finally {
    await proxy.stop();
    await server.stop('SIGTERM');
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

await main(program);
