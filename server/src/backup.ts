import { resolve } from 'node:path';
import { checkFiles, checkKey, readKeyFile } from './backup/check-backup.ts';
import { openBackupSource } from './backup/backup-source.ts';
import { keyOf, placeOf, readArguments, runCommand, say } from './backup/command-line.ts';
import { readManifest } from './backup/manifest.ts';
import { writeBackup } from './backup/write-backup.ts';
import { StartError } from './errors.ts';
import { openCopySource } from './store/copies/copy-place.ts';
import { readFingerprint } from './store/copies/open-sealed.ts';

const usage = `npm run backup -- <folder> --with-key | --without-key
Makes <folder>/weir-<date>, readable by its owner alone, from the database of DATA_DIR or DATABASE_URL, also while gateways
run. The same form for SQLite and PostgreSQL.
  --with-key     the secret key is in it: whoever has the backup has every key in it
  --without-key  keep the secret key elsewhere: without it the backup cannot be used`;

/** The key as its file has it; undefined: it is left out. */
const keyText = (withKey: boolean, key: Buffer | undefined): string | undefined => {
  if (!withKey) return undefined;
  if (key === undefined)
    throw new StartError('There is no secret key to include: set SECRET_KEY, or use --without-key');
  return key.toString('hex');
};

const main = async (): Promise<number> => {
  const options = { 'with-key': { type: 'boolean' }, 'without-key': { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(options, 1);
  const [parent] = positionals;
  const withKey = values['with-key'] === true;
  if (parent === undefined || withKey === (values['without-key'] === true)) {
    throw new StartError('Name a folder, and either --with-key or --without-key (--help shows the usage)');
  }
  const place = placeOf(undefined);
  const source = await openCopySource(place);
  try {
    const key = keyOf(place);
    if (key !== undefined) await checkKey(source, key);
    const secretFingerprint = (await readFingerprint(source)) ?? '';
    const at = new Date();
    const directory = await writeBackup({
      source,
      parent: resolve(parent),
      at,
      secretFingerprint,
      key: keyText(withKey, key),
    });
    const manifest = readManifest(directory);
    const written = openBackupSource(directory, manifest);
    const rows = await checkFiles(written, manifest);
    const given = readKeyFile(directory) ?? key;
    const sentence = given === undefined ? 'no key was at hand to try' : await checkKey(written, given);
    say(`${directory}: ${manifest.tables.length} tables with ${rows} rows, read back; ${sentence}`);
    return 0;
  } finally {
    await source.close();
  }
};

await runCommand(usage, main);
