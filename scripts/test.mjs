// `npm test`: installs what is missing, then runs every check and suite and counts what passed.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureConsole } from './console-build.mjs';
import { ensurePackages, nodePath } from './packages.mjs';
import { startPostgres } from './postgres.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { runMain, Stop } from './stop.mjs';

/** @typedef {{ passed: number, failed: number, titles?: readonly string[] }} Count with the titles of what failed */
/** @typedef {Count & { name: string }} Result */

/** @param {string} name of a report that a runner leaves in .cache */
const reportPath = (name) => join(root, '.cache', `${name}.json`);

/**
 * Runs one runner and reads its counts from its report; a runner that fails without a failed test counts as one.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {(report: any) => Count} count
 * @returns {Promise<Result>}
 */
const runSuite = async (name, args, env, count) => {
  rmSync(reportPath(name), { force: true });
  const code = await run(nodePath(), args, { env });
  const counted = existsSync(reportPath(name))
    ? count(JSON.parse(readFileSync(reportPath(name), 'utf8')))
    : { passed: 0, failed: 0 };
  const failed = code !== 0 && counted.failed === 0 ? 1 : counted.failed;
  return { ...counted, name, failed };
};

/** @param {string} databaseUrl */
const runVitest = (databaseUrl) =>
  runSuite(
    'vitest',
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportPath('vitest')}`,
    ],
    { TEST_POSTGRES_URL: databaseUrl },
    (report) => ({
      passed: report.numPassedTests,
      failed: report.numTotalTests - report.numPassedTests,
      titles: report.testResults
        .flatMap((/** @type {any} */ file) => file.assertionResults)
        .filter((/** @type {any} */ test) => test.status !== 'passed')
        .map((/** @type {any} */ test) => `${test.fullName}: ${test.failureMessages.join(' ').split('\n')[0]}`),
    }),
  );

/** @param {string | undefined} chromium */
const runJourneys = (chromium) =>
  runSuite(
    'e2e',
    ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e'],
    chromium === undefined ? {} : { CHROMIUM_PATH: chromium },
    ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped }),
  );

/** @param {readonly Result[]} results */
const summarize = (results) => {
  /** @param {'passed' | 'failed'} key */
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log('');
  for (const { name, passed, failed } of results)
    console.log(`${name.padEnd(16)} ${failed === 0 ? 'ok    ' : 'FAILED'} ${passed}/${passed + failed}`);
  // Of a long run often only the end is kept, so what failed is named there.
  for (const title of results.flatMap(({ titles }) => titles ?? [])) console.log(`  failed: ${title}`);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
};

const runAll = async () => {
  await ensurePackages();
  const chromium = await ensureChromium();
  // The build makes the message functions that the console's types come from.
  await ensureConsole();
  const postgres = await startPostgres();
  let interrupted = '';
  // The runners get the signal too and end by themselves; what was started here is stopped below.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interrupted = signal));
  /** @type {Result[]} */
  const results = [];
  try {
    results.push(...(await runChecks()));
    if (!interrupted) results.push(await runVitest(postgres.url));
    if (!interrupted) results.push(await runJourneys(chromium));
  } finally {
    await postgres.stop();
  }
  if (interrupted) throw new Stop(`Interrupted by ${interrupted}.`, 130);
  return summarize(results);
};

await runMain(runAll);
