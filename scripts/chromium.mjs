import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePath } from './packages.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { Stop } from './stop.mjs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @returns {string | undefined} a Chromium that the machine has */
export const findChromium = () => process.env['CHROMIUM_PATH'] ?? places.find((place) => existsSync(place));

const isDebian = () => existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

const installFromDebian = async () => {
  console.log('Installing Chromium (apt-get) …');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['-qq', 'update'], { env });
  await run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', 'chromium', 'fonts-liberation'], { env });
};

/**
 * Finds a browser for the journeys, or installs one.
 * @returns {Promise<string | undefined>} its path; undefined where Playwright has its own
 */
export const ensureChromium = async () => {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && isDebian()) {
    await installFromDebian();
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  const playwright = join(root, 'node_modules', 'playwright', 'cli.js');
  if ((await run(nodePath(), [playwright, 'install', 'chromium', 'fonts-liberation'])) === 0) return undefined;
  throw new Stop(
    'The browser journeys need Chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH.',
  );
};
