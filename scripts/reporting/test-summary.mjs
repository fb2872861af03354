/** @typedef {{ name: string, seconds: number }} TestFile */
/**
 * @typedef {object} Result of a check or a suite
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {number} seconds from its first test to its last
 * @property {string[]} titles of the tests that failed, with their first line of error
 * @property {string[]} [retried] the tests that failed and then passed
 * @property {TestFile[]} files
 */

const slowestCount = 10;

/**
 * The summary of `npm test`, whose last line is `N passed, N failed`.
 * @param {readonly Result[]} results
 * @returns {string[]} its lines
 */
export const summarize = (results) => {
  /** @param {'passed' | 'failed'} key */
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const slowest = results
    .flatMap(({ name, files }) => files.map((file) => ({ ...file, suite: name })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, slowestCount);
  return [
    ...(slowest.length > 0 ? ['', 'Slowest test files:'] : []),
    ...slowest.map(({ name, seconds, suite }) => `  ${seconds.toFixed(1).padStart(6)} s  ${suite.padEnd(8)} ${name}`),
    '',
    'Suite            Result  Passed  Failed  Seconds',
    ...results.map(({ name, passed, failed, seconds }) =>
      [
        name.padEnd(16),
        (failed === 0 ? 'ok' : 'FAILED').padEnd(6),
        String(passed).padStart(7),
        String(failed).padStart(7),
        seconds.toFixed(1).padStart(8),
      ].join(' '),
    ),
    // Failed tests are listed at the end, since often only the end of a long output is kept.
    ...results.flatMap(({ titles }) => titles).map((title) => `  failed: ${title}`),
    ...results.flatMap(({ retried = [] }) => retried).map((title) => `  passed at the second run: ${title}`),
    '',
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ];
};
