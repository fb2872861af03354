import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../steps/root.mjs';

const filesMax = 25;
const medianMax = 10;
/** Generated files: the message functions of the console. */
const generated = /^console\/src\/paraglide\//;
const source = /\.(?:ts|tsx)$/;
const notCounted = /\.test\.tsx?$/;

/** Number of source files by folder. */
const countFiles = (...tops: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const top of tops) {
    for (const name of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      const path = join(top, name);
      if (generated.test(path) || !source.test(path) || notCounted.test(path)) continue;
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
  }
  return counts;
};

test('no source folder has more than 25 files without tests, and half of the folders have at most 10', () => {
  const counts = countFiles();
  const sizes = [...counts.values()].toSorted((a, b) => a - b);
  expect(sizes.length).toBeGreaterThan(20);
  expect([...counts].filter(([, count]) => count > filesMax)).toEqual([]);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(medianMax);
});
