import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Builds before the current one that stay: a running gateway serves the one that it was started with. */
const earlierMax = 3;

/** @param {string} path @returns {boolean} whether something is there, a link without a target included */
const isThere = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Makes `link` lead to `folder`, in one step where the system can.
 * @param {string} link
 * @param {string} folder
 */
const lead = (link, folder) => {
  const next = `${link}-next`;
  rmSync(next, { recursive: true, force: true });
  const target = process.platform === 'win32' ? folder : relative(dirname(link), folder);
  symlinkSync(target, next, 'junction');
  // Neither a folder of an earlier version nor a junction can be replaced by renaming.
  const replaceable = process.platform !== 'win32' && lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isThere(link) && !replaceable) rmSync(link, { recursive: true });
  renameSync(next, link);
};

/**
 * Builds into a folder of its own and then makes `link` lead to it, so that an interrupted build changes nothing that is
 * served. The stamp is deleted first and written last: it never vouches for a build that was not finished.
 * @param {object} options
 * @param {string} options.link
 * @param {string} options.builds the folder of the builds
 * @param {string} options.stamp
 * @param {string} options.text of the stamp
 * @param {(folder: string) => Promise<number>} options.build resolves to its exit code
 * @returns {Promise<number>} the exit code of the build
 */
export const publishBuild = async ({ link, builds, stamp, text, build }) => {
  rmSync(stamp, { force: true });
  const earlier = existsSync(builds) ? readdirSync(builds).toSorted() : [];
  // Names in the order of time.
  const folder = join(builds, `${Date.now()}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const code = await build(folder);
  if (code !== 0) {
    rmSync(folder, { recursive: true });
    return code;
  }
  lead(link, folder);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, text);
  for (const name of earlier.slice(0, -earlierMax)) rmSync(join(builds, name), { recursive: true, force: true });
  return 0;
};
