import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../errors.ts';
import { createSecrets } from '../store/credentials/secrets.ts';
import { fillPlace } from '../store/copies/copy-place.ts';
import { type CopySource, summarize } from '../store/copies/copy-source.ts';
import { openOneSealed, readFingerprint } from '../store/copies/open-sealed.ts';
import { openReadOnly } from '../store/engine/read-only.ts';
import { type Verification, verifyLedger } from '../store/ledger/verify.ts';
import { openBackupSource } from './backup-source.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { keyFile } from './write-backup.ts';

/** The key in a folder; undefined: there is none. */
export const readKeyFile = (directory: string): Buffer | undefined => {
  const path = join(directory, keyFile);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  if (!/^(?:[0-9a-f]{2}){32,}$/i.test(text)) throw new StartError(`${path} does not hold a key`);
  return Buffer.from(text, 'hex');
};

/**
 * Whether the key opens what is sealed: a sentence about it. Throws where it does not. A missing key is a fault where
 * something is sealed.
 */
export const checkKey = async (source: CopySource, key: Buffer | undefined): Promise<string> => {
  const fingerprint = await readFingerprint(source);
  if (fingerprint === undefined) return 'nothing is sealed with a key yet';
  if (key === undefined)
    throw new StartError(
      `The secret key is missing: without it no channel key and no token can be used (${keyFile}, or SECRET_KEY)`,
    );
  const secrets = createSecrets(key);
  if (secrets.fingerprint !== fingerprint)
    throw new StartError('The secret key is another one than that which sealed the keys of this database');
  const table = await openOneSealed(source, secrets);
  return table === undefined
    ? 'the secret key is the right one; there is no sealed key to open'
    : `the secret key is the right one and opens a sealed key of ${table}`;
};

/** Reads every file of a backup to its end and compares it with the manifest. Returns the number of rows. */
export const checkFiles = async (source: CopySource, manifest: Manifest): Promise<number> => {
  let rows = 0;
  for (const table of manifest.tables) {
    const found = await summarize(source, table);
    if (found.sha256 !== table.sha256 || found.rows !== table.rows)
      throw new StartError(`The file of ${table.name} is damaged: ${table.rows} rows were written, ${found.rows} read`);
    rows += found.rows;
  }
  return rows;
};

/** Restores a backup into a folder that is removed afterwards, and compares ledger and balances there. */
const verifyRestored = async (source: CopySource): Promise<Verification> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-check-'));
  try {
    await fillPlace({ dataDir, databaseUrl: undefined }, source, { say: () => undefined, beforeEnd: () => undefined });
    const db = openReadOnly({ dataDir });
    try {
      return await verifyLedger(db);
    } finally {
      await db.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

export interface BackupCheck extends Verification {
  /** What was looked at, in sentences. */
  readonly checked: readonly string[];
}

/** Everything that a restore needs. `key`: of a backup that has none with it. */
export const checkBackup = async (directory: string, key: Buffer | undefined): Promise<BackupCheck> => {
  const manifest = readManifest(directory);
  const source = openBackupSource(directory, manifest);
  const rows = await checkFiles(source, manifest);
  const sentence = await checkKey(source, readKeyFile(directory) ?? key);
  const verification = await verifyRestored(source);
  return {
    ...verification,
    checked: [
      `${manifest.tables.length} tables with ${rows} rows match the manifest of ${manifest.created}`,
      sentence,
      'restored for the check: all tables came back as written',
    ],
  };
};
