import { join } from 'node:path';
import { nodePath } from '../steps/packages.mjs';
import { root } from '../steps/root.mjs';
import { run } from '../steps/run.mjs';

/** @param {string[]} path below node_modules */
const bin = (...path) => join(root, 'node_modules', ...path);

/** The checks outside the suites, in order: a name, a script and its arguments. */
const checks = /** @type {const} */ ([
  ['format', bin('oxfmt', 'bin', 'oxfmt'), '--check', '.'],
  ['lint', bin('oxlint', 'bin', 'oxlint'), '--deny-warnings'],
  ...['contract', 'server', 'console', 'e2e', 'bench', 'scripts'].map(
    (workspace) => /** @type {const} */ ([`types ${workspace}`, bin('typescript', 'bin', 'tsc'), '-p', workspace]),
  ),
  ['unused', bin('knip', 'bin', 'knip.js')],
  ['speed', join(root, 'bench', 'guard', 'guard.ts')],
]);

/**
 * Runs every check, also after one has failed.
 * @returns {Promise<import('../reporting/test-summary.mjs').Result[]>}
 */
export const runChecks = async () => {
  const results = [];
  for (const [name, script, ...args] of checks) {
    const begun = performance.now();
    const code = await run(nodePath(), [script, ...args]);
    const seconds = (performance.now() - begun) / 1000;
    console.log(`${name}: ${code === 0 ? 'ok' : `failed (exit code ${code})`}`);
    results.push({ name, passed: Number(code === 0), failed: Number(code !== 0), seconds, titles: [], files: [] });
  }
  return results;
};
