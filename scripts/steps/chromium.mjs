import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodePath } from './packages.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { Stop } from './stop.mjs';

const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @returns {string | undefined} path of an installed Chromium */
export const findChromium = () => process.env['CHROMIUM_PATH'] ?? paths.find((path) => existsSync(path));

/** Chromium without windows: the same pages in two thirds of the time. */
const headlessShell = '/usr/bin/chromium-headless-shell';

const isDebian = () => existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

const lockTries = 60;

/**
 * Runs apt-get, and repeats it every five seconds while another apt-get holds the lock.
 * @param {readonly string[]} args @param {NodeJS.ProcessEnv} env
 */
const apt = async (args, env) => {
  for (let left = lockTries; left > 0; left -= 1) {
    const { stderr } = spawnSync('apt-get', args, {
      env: { ...process.env, ...env, LC_ALL: 'C' },
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
    });
    if (stderr) console.error(stderr.trim());
    if (!stderr?.includes('Could not get lock')) return;
    console.log('Waiting for another apt-get …');
    await sleep(5000);
  }
};

/** @param {string} name of a package with a browser */
const installFromDebian = async (name) => {
  console.log(`Installing ${name} (apt-get) …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await apt(['-qq', 'update'], env);
  await apt(['-qq', '-y', '--no-install-recommends', 'install', name, 'fonts-liberation'], env);
};

/**
 * Finds a browser for the browser tests, or installs one.
 * @returns {Promise<string | undefined>} its path; undefined where Playwright has its own
 */
export const ensureChromium = async () => {
  if (process.env['CHROMIUM_PATH'] !== undefined) return process.env['CHROMIUM_PATH'];
  const canInstall = process.getuid?.() === 0 && isDebian();
  if (canInstall && !existsSync(headlessShell)) await installFromDebian('chromium-headless-shell');
  if (existsSync(headlessShell)) return headlessShell;
  if (canInstall && findChromium() === undefined) await installFromDebian('chromium');
  const found = findChromium();
  if (found !== undefined) return found;
  const playwright = join(root, 'node_modules', 'playwright', 'cli.js');
  if ((await run(nodePath(), [playwright, 'install', 'chromium'])) === 0) return undefined;
  throw new Stop(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
  );
};
