// `npm test`: installs packages if needed, then runs every check and suite and counts the results.
// `npm test -- [filters of Vitest]` or `npm test -- e2e [filters of Playwright]`: only the matching tests.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './checks/checks.mjs';
import { ensureChromium } from './steps/chromium.mjs';
import { ensureConsole } from './steps/console-build.mjs';
import { ensurePackages, nodePath } from './steps/packages.mjs';
import { startPostgres } from './steps/postgres.mjs';
import { root } from './steps/root.mjs';
import { run } from './steps/run.mjs';
import { ensureServer } from './steps/server-build.mjs';
import { runMain, Stop } from './steps/stop.mjs';
import { summarize } from './reporting/test-summary.mjs';

/** @typedef {import('./reporting/test-summary.mjs').Result} Result */

// Every test starts threads or processes of the server, which would compile the same sources anew.
process.env['NODE_COMPILE_CACHE'] ??= join(root, '.cache', 'node');

const filters = process.argv.slice(2);
const isAll = filters.length === 0;
const isBrowser = filters[0]?.startsWith('e2e') === true;
// `e2e` alone is part of every path.
const browserFilters = filters[0] === 'e2e' ? filters.slice(1) : filters;

/**
 * Runs one runner and reads its report. A runner that fails without a failed test counts as one failure.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {(report: any) => Result[]} read
 * @returns {Promise<Result[]>}
 */
const runSuites = async (name, args, env, read) => {
  const report = join(root, '.cache', `${name}.json`);
  rmSync(report, { force: true });
  const code = await run(nodePath(), args, { env: { ...env, VITEST_REPORT: report } });
  const results = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : [];
  if (code === 0 || results.some(({ failed }) => failed > 0)) return results;
  const titles = [`${name}: ended with exit code ${code} and no failed test`];
  return [...results, { name, passed: 0, failed: 1, seconds: 0, titles, files: [] }];
};

/** @param {string} databaseUrl */
const runVitest = (databaseUrl) =>
  runSuites(
    'vitest',
    ['node_modules/vitest/vitest.mjs', 'run', ...filters],
    { TEST_POSTGRES_URL: databaseUrl },
    (results) => results,
  );

/** @param {any} suite of Playwright's report @returns {any[]} its tests and those of the suites in it, with their titles */
const testsOf = ({ specs = [], suites = [] }) => [
  ...specs.flatMap((/** @type {any} */ { title, tests }) =>
    tests.map((/** @type {any} */ test) => ({ title, ...test })),
  ),
  ...suites.flatMap(testsOf),
];

/** @param {any} report of Playwright @returns {Result} */
const readPlaywright = ({ stats, suites }) => {
  /** @type {Result} */
  const result = { name: 'browser', passed: 0, failed: 0, seconds: stats.duration / 1000, titles: [], files: [] };
  /** @type {string[]} */
  const retried = [];
  for (const suite of suites) {
    const tests = testsOf(suite);
    const results = tests.flatMap((test) => test.results);
    const seconds = results.reduce((total, { duration }) => total + duration / 1000, 0);
    result.files.push({ name: join('e2e', suite.file), seconds });
    for (const { title, status } of tests) {
      const name = `${join('e2e', suite.file)}: ${title}`;
      if (status === 'flaky') retried.push(name);
      if (status === 'expected' || status === 'flaky') result.passed += 1;
      else {
        result.failed += 1;
        result.titles.push(`${name}: ${status}`);
      }
    }
  }
  return { ...result, retried };
};

/** @param {string | undefined} chromium */
const runBrowserTests = (chromium) =>
  runSuites(
    'e2e',
    ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e', ...browserFilters],
    chromium === undefined ? {} : { CHROMIUM_PATH: chromium },
    (report) => [readPlaywright(report)],
  );

const runAll = async () => {
  await ensurePackages();
  const chromium = isAll || isBrowser ? await ensureChromium() : undefined;
  // The build makes the message functions that the console's types come from.
  await ensureConsole({ packing: isAll || isBrowser ? 'thorough' : 'quick' });
  await ensureServer();
  const postgres = await startPostgres();
  let interrupted = '';
  // The runners receive the signal too and exit by themselves; PostgreSQL is stopped below.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interrupted = signal));
  /** @type {Result[]} */
  const results = [];
  try {
    if (isAll) results.push(...(await runChecks()));
    if (!interrupted && !isBrowser) results.push(...(await runVitest(postgres.url)));
    if (!interrupted && (isAll || isBrowser)) results.push(...(await runBrowserTests(chromium)));
  } finally {
    await postgres.stop();
  }
  if (interrupted) throw new Stop(`Interrupted by ${interrupted}.`, 130);
  for (const line of summarize(results)) console.log(line);
  return results.some(({ failed }) => failed > 0) ? 1 : 0;
};

await runMain(runAll);
