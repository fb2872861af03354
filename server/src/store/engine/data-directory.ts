import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { isBusy, toPlainError } from './database-error.ts';

/** The data directory, for this process alone until `release`. */
export interface DataDirectory {
  readonly databasePath: string;
  release(): void;
}

/** The database file of a data directory. */
export const databasePath = (dataDir: string): string => join(dataDir, 'weir.db');

/**
 * Makes a directory with those above it. Not by `recursive`: where a file system knows no new directories, such as /proc, Node tries
 * for ever.
 */
export const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
};

const ownerOnly = 0o600;

/** Makes a database file for its owner alone. SQLite gives the files beside it, its journal, the same mode. */
const keepPrivate = (path: string): void => {
  closeSync(openSync(path, 'a', ownerOnly));
  // Only the owner of a file may change its mode; of another's file the operator decides.
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    if (existsSync(file) && statSync(file).uid === process.getuid?.()) chmodSync(file, ownerOnly);
};

/**
 * Makes the directory if it is missing and locks out other processes: an exclusive transaction on a second, small
 * SQLite file, which the operating system ends with the process in any case.
 */
export const claimDataDirectory = (dataDir: string): DataDirectory => {
  try {
    makeDirectory(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The data directory ${dataDir} cannot be written: ${toPlainError(error).code}`, error);
  }
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, 'weir.lock'));
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock?.close();
    if (isBusy(toPlainError(error))) {
      throw new StartError(`Another process is using the data directory ${dataDir}`, error);
    }
    throw new StartError(`The data directory ${dataDir} cannot be locked: ${toPlainError(error).message}`, error);
  }
  const path = databasePath(dataDir);
  keepPrivate(path);
  return { databasePath: path, release: () => lock.close() };
};
