import { archivedMonths, type ArchivedMonth } from '../store/archive/archived-months.ts';
import { ledgerShape } from '../store/archive/month-source.ts';
import type { Database } from '../store/database.ts';
import { StartError } from '../errors.ts';
import { usesOfMonth } from '../store/statements/account-months.ts';
import { archivePath, monthName, usesByAccount } from './archive-month.ts';
import { openBackupSource } from './backup-source.ts';
import { checkFiles } from './check-backup.ts';
import { checksumOf, isArchive, readAnyManifest } from './manifest.ts';

/** Reads an archive to its end and compares it with its manifest: a sentence about it. */
export const checkArchive = async (directory: string): Promise<string> => {
  const manifest = readAnyManifest(directory);
  const rows = await checkFiles(openBackupSource(directory, manifest), manifest);
  return `${rows} rows of ledger and log match the manifest of ${manifest.created}`;
};

const checkMonth = async (db: Pick<Database, 'read'>, archive: ArchivedMonth, directory: string): Promise<string> => {
  const manifest = readAnyManifest(directory);
  if (!isArchive(manifest) || checksumOf(manifest) !== archive.checksum)
    throw new StartError(`${directory} is not the archive that the database has noted`);
  const source = openBackupSource(directory, manifest);
  const rows = await checkFiles(source, manifest);
  const ledger = manifest.tables.find(({ name }) => name === ledgerShape.name);
  if (ledger === undefined) throw new StartError(`${directory} has no ledger`);
  const written = await usesByAccount(source, ledger);
  const closed = await usesOfMonth(db.read, archive.month);
  for (const account of new Set([...written.keys(), ...closed.keys()])) {
    const [found, expected] = [written.get(account) ?? 0, closed.get(account) ?? 0];
    if (found !== expected)
      throw new StartError(
        `${directory}: user ${account} used ${found} in the archive, ${expected} in the closed month`,
      );
  }
  return `${directory}: ${rows} rows match its manifest, and the uses of each account the closed month`;
};

export interface ArchiveChecks {
  readonly checked: readonly string[];
  readonly faults: readonly string[];
}

/** Compares every archive that the database has noted with what the months of the ledger were closed with. */
export const checkArchives = async (db: Pick<Database, 'read'>, parent: string | undefined): Promise<ArchiveChecks> => {
  const archives = await archivedMonths(db.read);
  if (parent === undefined) {
    const unread = `${archives.length} archived months were not read: ARCHIVE_DIR is not set`;
    return { checked: archives.length === 0 ? [] : [unread], faults: [] };
  }
  const checked: string[] = [];
  const faults: string[] = [];
  for (const archive of archives) {
    try {
      checked.push(await checkMonth(db, archive, archivePath(parent, archive.month)));
    } catch (error) {
      faults.push(`archive of ${monthName(archive.month)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { checked, faults };
};
