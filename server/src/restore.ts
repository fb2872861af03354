import { resolve } from 'node:path';
import { openBackupSource } from './backup/backup-source.ts';
import { checkFiles, readKeyFile } from './backup/check-backup.ts';
import { placeOf, readArguments, runCommand, say } from './backup/command-line.ts';
import { copyInto } from './backup/copy-into.ts';
import { readManifest } from './backup/manifest.ts';
import { StartError } from './errors.ts';

const usage = `npm run restore -- <backup> [--to <data directory or postgres:// URL>]
Fills an empty data directory or database (that of DATA_DIR or DATABASE_URL without --to) from a backup, and compares the two.
SECRET_KEY: the key of a backup without its own; on PostgreSQL always.`;

const main = async (): Promise<number> => {
  const { values, positionals } = readArguments({ to: { type: 'string' } }, 1);
  const [name] = positionals;
  if (name === undefined) throw new StartError('Name a backup (--help shows the usage)');
  const directory = resolve(name);
  const manifest = readManifest(directory);
  const source = openBackupSource(directory, manifest);
  say(`${await checkFiles(source, manifest)} rows of ${manifest.created} match the manifest`);
  return copyInto(placeOf(values.to), source, readKeyFile(directory));
};

await runCommand(usage, main);
