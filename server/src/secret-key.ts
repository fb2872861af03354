import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';
import { databasePath, makeDirectory } from './store/engine/data-directory.ts';

const keyBytes = 32;
const hexKey = /^[0-9a-f]{64,}$/i;

const textIn = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const syncDirectory = (path: string): void => {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
};

/** A link fails where the name is taken; a rename, for file systems without links, would replace it. */
const moveToName = (draft: string, path: string): void => {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(codeOf(error))) throw error;
    renameSync(draft, path);
  }
};

/**
 * Writes a new key file, whole or not at all. If two processes start at once the first key stays: each process uses the
 * one in the file afterwards.
 */
const makeKey = (dataDir: string, path: string): void => {
  makeDirectory(dataDir);
  const draft = `${path}.${process.pid}`;
  try {
    writeDurably(draft, `${randomBytes(keyBytes).toString('hex')}\n`);
    // Left by a crash: it was never used.
    if (textIn(path) === '') rmSync(path, { force: true });
    moveToName(draft, path);
    syncDirectory(dataDir);
  } catch (error) {
    if (textIn(path) === '') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

/**
 * The key that seals the secrets of a data directory, in `secret.key` there, readable by its owner alone. Made at the
 * first start; a database without the key it was made with is refused, as its secrets could never be read again.
 */
export const readSecretKey = (dataDir: string): Buffer => {
  const path = join(dataDir, 'secret.key');
  try {
    if (textIn(path) === '') {
      if (existsSync(databasePath(dataDir))) {
        throw new StartError(
          `${path} is missing; restore the key that encrypts ${databasePath(dataDir)}, or set SECRET_KEY to it`,
        );
      }
      makeKey(dataDir, path);
    }
    const text = textIn(path);
    if (!hexKey.test(text)) throw new StartError(`${path} does not hold a key of 64 hexadecimal digits`);
    return Buffer.from(text, 'hex');
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The data directory ${dataDir} cannot be used: ${codeOf(error)}`, error);
  }
};
