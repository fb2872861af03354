import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../errors.ts';
import { type ClosedMonth, noteArchive } from '../store/archive/archived-months.ts';
import { ledgerShape, openMonthSource, sumMonth } from '../store/archive/month-source.ts';
import type { CopySource, TableShape } from '../store/copies/copy-source.ts';
import type { Database } from '../store/database.ts';
import { startOfMonth } from '../store/statements/months.ts';
import { openBackupSource } from './backup-source.ts';
import { checkFiles } from './check-backup.ts';
import { checksumOf, readAnyManifest } from './manifest.ts';
import { writeFolder } from './write-backup.ts';

/** A month as text, such as 2026-05. */
export const monthName = (month: number): string => new Date(startOfMonth(month) * 1000).toISOString().slice(0, 7);

/** The folder of a month's archive. */
export const archivePath = (parent: string, month: number): string => join(parent, `weir-archive-${monthName(month)}`);

/** What the uses among the entries of an archive charged to each account. */
export const usesByAccount = async (
  source: Pick<CopySource, 'rows'>,
  table: TableShape,
): Promise<ReadonlyMap<number, number>> => {
  const [kind, user, amount] = ['kind', 'user_id', 'amount'].map((name) => table.columns.indexOf(name));
  const uses = new Map<number, number>();
  for await (const rows of source.rows(table)) {
    for (const row of rows) {
      if (row[kind ?? -1] !== 'use') continue;
      const account = Number(row[user ?? -1]);
      uses.set(account, (uses.get(account) ?? 0) + Number(row[amount ?? -1]));
    }
  }
  return uses;
};

interface ArchiveOptions {
  /** The folder of all archives. */
  readonly parent: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Ends the work between two pages. */
  readonly signal: AbortSignal;
}

const abortable = (source: CopySource, signal: AbortSignal): CopySource => ({
  ...source,
  async *rows(table) {
    for await (const rows of source.rows(table)) {
      signal.throwIfAborted();
      yield rows;
    }
  },
});

/** The archive must have every use of the month that the ledger has. */
const compare = async (
  source: CopySource,
  { uses, amount }: { readonly uses: number; readonly amount: number },
): Promise<void> => {
  const ledger = source.tables.find(({ name }) => name === ledgerShape.name);
  if (ledger === undefined) throw new StartError('The archive has no ledger');
  let written = 0;
  for (const sum of (await usesByAccount(source, ledger)).values()) written += sum;
  if (written !== amount)
    throw new StartError(`The archive has uses of ${written} quota, the ledger ${uses} uses of ${amount}`);
};

/**
 * Writes a closed month of ledger and log to an archive, reads it back, compares it with the ledger, and notes it.
 * Nothing leaves the database here. Resolves to the number of rows.
 */
export const archiveMonth = async (
  db: Database,
  month: ClosedMonth,
  { parent, now, signal }: ArchiveOptions,
): Promise<number> => {
  const directory = archivePath(parent, month.month);
  // It was not noted, so that nothing depends on it.
  if (existsSync(directory)) rmSync(directory, { recursive: true });
  const opened = await openMonthSource(db, month);
  const head = { format: 'weir archive 1', created: new Date(now).toISOString(), hasKey: false } as const;
  const source = abortable(opened, signal);
  await writeFolder({ source, directory, head: { ...head, secretFingerprint: '' }, files: {} });
  const manifest = readAnyManifest(directory);
  const written = abortable(openBackupSource(directory, manifest), signal);
  const rows = await checkFiles(written, manifest);
  const uses = await sumMonth(db.read, month);
  await compare(written, uses);
  await noteArchive(db, { ...month, ...uses, checksum: checksumOf(manifest), at: Math.floor(now / 1000) });
  return rows;
};
