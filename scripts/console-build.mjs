import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodePath } from './packages.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { Stop } from './stop.mjs';

const sources = [
  'console/build',
  'console/index.html',
  'console/messages',
  'console/package.json',
  'console/project.inlang/settings.json',
  'console/public',
  'console/src',
  'console/tsconfig.json',
  'console/vite.config.ts',
  'contract/src',
  'package-lock.json',
];
/** Made by the build itself. */
const generated = join('console', 'src', 'paraglide');
const stamp = join(root, '.cache', 'console-sources.sha256');
const built = [join(root, 'console', 'dist', 'index.html'), join(root, generated, 'messages.js')];

/** @param {string} path @returns {string[]} the files at or below a path, in a fixed order */
const filesBelow = (path) => {
  const place = join(root, path);
  if (path === generated || !existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [path];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
};

const sourcesDigest = () => {
  const hash = createHash('sha256').update(process.env['VITE_SERVER'] ?? '');
  for (const path of sources.flatMap((source) => filesBelow(join(source)))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
};

/**
 * Builds the console unless its files were built from these very sources. A quick build packs its scripts for the wire
 * without the search that takes most of the time and makes them 3 % smaller.
 * @param {{ packing?: 'thorough' | 'quick' }} [options]
 */
export const ensureConsole = async ({ packing = 'thorough' } = {}) => {
  const digest = sourcesDigest();
  const [builtFrom, builtAs] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  const isPacked = packing === 'quick' || builtAs === 'thorough';
  if (built.every((path) => existsSync(path)) && builtFrom === digest && isPacked) return;
  console.log('Building the console …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await run(nodePath(), [vite, 'build', '--configLoader', 'native', '--logLevel', 'warn'], {
    cwd: join(root, 'console'),
    env: { CONSOLE_PACKING: packing },
  });
  if (code !== 0) throw new Stop(`Console build failed: vite exited with code ${code}.`, code);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${digest} ${packing}`);
};
