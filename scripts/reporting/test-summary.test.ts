import { expect, test } from 'vitest';
import { summarize } from './test-summary.mjs';

const suite = (name: string, failed: number, files: { name: string; seconds: number }[] = []) => ({
  name,
  passed: 3,
  failed,
  seconds: 12.34,
  titles: failed > 0 ? ['a.test.ts: a title: an error'] : [],
  files,
});

test('the summary has a row with passed, failed and seconds for each suite, and only the sum in the last line', () => {
  const lines = summarize([suite('unit', 0), suite('sqlite', 1)]);
  expect(lines).toContain('unit             ok           3       0     12.3');
  expect(lines).toContain('sqlite           FAILED       3       1     12.3');
  expect(lines).toContain('  failed: a.test.ts: a title: an error');
  expect(lines.slice(-2)).toEqual(['', '6 passed, 1 failed']);
});

test('tests that passed at their second run are named and count as passed', () => {
  const lines = summarize([{ ...suite('browser', 0), retried: ['e2e/a.spec.ts: a title'] }]);
  expect(lines.slice(-3)).toEqual(['  passed at the second run: e2e/a.spec.ts: a title', '', '3 passed, 0 failed']);
});

test('the ten slowest files of all suites are named, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ name: `${index}.test.ts`, seconds: index }));
  const lines = summarize([suite('unit', 0, files.slice(0, 6)), suite('sqlite', 0, files.slice(6))]);
  const named = lines.filter((line) => line.endsWith('.test.ts')).map((line) => line.trim().split(/\s+/).at(-1));
  expect(named).toEqual(
    files
      .slice(2)
      .reverse()
      .map(({ name }) => name),
  );
});
