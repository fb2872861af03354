import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePath } from './packages.mjs';
import { publishBuild } from './publish-build.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { digestSources } from './sources-digest.mjs';
import { Stop } from './stop.mjs';

const sources = [
  'contract/src',
  'package-lock.json',
  'server/migrations',
  'server/package.json',
  'server/build.ts',
  'server/src',
];
const stamp = join(root, '.cache', 'server-sources.sha256');
const link = join(root, 'server', 'dist');
/** The program that `npm start` runs. */
export const serverEntry = join(link, 'main.mjs');

/** Builds the server (`server/build.ts`) unless its files were built from the current sources. */
export const ensureServer = async () => {
  const digest = digestSources({ sources, isLeftOut: (path) => path.endsWith('.test.ts') });
  if (existsSync(serverEntry) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  console.error('Building the server …');
  const program = join(root, 'server', 'build.ts');
  /** @param {string} folder */
  const build = (folder) => run(nodePath(), [program, folder]);
  const builds = join(root, '.cache', 'server');
  const code = await publishBuild({ link, builds, stamp, text: digest, build });
  if (code !== 0) throw new Stop(`Server build failed with code ${code}.`, code);
};
