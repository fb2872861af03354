import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../steps/root.mjs';

const filesMax = 25;
const medianMax = 10;
/** Generated files: the message functions of the console. */
const generated = /^console\/src\/paraglide\//;
const source = /\.(?:[mc]?ts|tsx|mjs)$/;
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/** Number of source files by folder, below these folders. */
const countFiles = (tops: readonly string[], isCounted: (path: string) => boolean): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const top of tops) {
    for (const name of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      const path = join(top, name);
      if (generated.test(path) || !source.test(path) || !isCounted(path)) continue;
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
  }
  return counts;
};
const tooLarge = (counts: ReadonlyMap<string, number>) => [...counts].filter(([, count]) => count > filesMax);

test('no source folder has more than 25 files without tests, and half of the folders have at most 10', () => {
  const counts = countFiles(['server/src', 'contract/src', 'console/src'], (path) => !isTest(path));
  const sizes = [...counts.values()].toSorted((a, b) => a - b);
  expect(sizes.length).toBeGreaterThan(20);
  expect(tooLarge(counts)).toEqual([]);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(medianMax);
});

test('no folder of tests, benchmarks or scripts has more than 25 files', () => {
  const counts = countFiles(['server/test', 'e2e', 'bench', 'scripts'], () => true);
  expect(counts.size).toBeGreaterThan(20);
  expect(tooLarge(counts)).toEqual([]);
});
