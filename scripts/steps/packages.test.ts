import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import { root } from './root.mjs';

interface Locked {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const packages: Readonly<Record<string, Locked>> = lock.packages;
const fetched = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
const own = Object.entries(packages).filter(([path]) => !path.includes('node_modules'));

test('every package that is fetched is the one that was locked, to the byte', () => {
  expect(fetched.length).toBeGreaterThan(100);
  const unsure = fetched.filter(([, { link = false, integrity = '' }]) => !link && !integrity.startsWith('sha512-'));
  expect(unsure.map(([path]) => path)).toEqual([]);
});

test('every requested version is exact', () => {
  const ranges = own.flatMap(([path, { dependencies, devDependencies }]) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([name, version]) => !name.startsWith('@weir/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} ${version}`),
  );
  expect(ranges).toEqual([]);
});

test('no package runs a script when it is installed', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
});
