import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * @param {string} path
 * @param {(path: string) => boolean} isLeftOut
 * @returns {string[]} the files at or below a path, in a fixed order
 */
const filesBelow = (path, isLeftOut) => {
  const full = join(root, path);
  if (isLeftOut(path) || !existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesBelow(join(path, name), isLeftOut));
};

/**
 * @param {object} options
 * @param {readonly string[]} options.sources files and folders
 * @param {(path: string) => boolean} options.isLeftOut
 * @param {string} [options.salt] what else the build depends on
 * @returns {string} SHA-256 of names and contents, in hex
 */
export const digestSources = ({ sources, isLeftOut, salt = '' }) => {
  const hash = createHash('sha256').update(salt);
  for (const path of sources.flatMap((source) => filesBelow(join(source), isLeftOut))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
};
