import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../errors.ts';
import type { CopyPlace } from '../store/copies/copy-place.ts';
import { readKeyFile } from './check-backup.ts';
import { keyFile } from './write-backup.ts';

/** Puts the key beside a SQLite file that has none. `given`: it is in the environment and stays there. */
export const placeKey = ({ dataDir, databaseUrl }: CopyPlace, key: Buffer | undefined, given: boolean): void => {
  if (databaseUrl !== undefined || key === undefined || given) return;
  const known = readKeyFile(dataDir);
  if (known?.equals(key) === true) return;
  if (known !== undefined) throw new StartError(`${join(dataDir, keyFile)} is another key; nothing starts with it`);
  const file = openSync(join(dataDir, keyFile), 'wx', 0o600);
  try {
    writeSync(file, `${key.toString('hex')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Where the key of a PostgreSQL goes is the operator's: its fingerprint is compared with what is given. */
export const keyForTarget = (place: CopyPlace, fromSource: Buffer | undefined, fromEnvironment: Buffer | undefined) => {
  if (fromSource !== undefined && fromEnvironment !== undefined && !fromSource.equals(fromEnvironment))
    throw new StartError('SECRET_KEY is another key than that of the source');
  if (place.databaseUrl !== undefined && fromEnvironment === undefined)
    throw new StartError('SECRET_KEY is required with PostgreSQL: set it to the key of the source');
  return fromSource ?? fromEnvironment;
};
