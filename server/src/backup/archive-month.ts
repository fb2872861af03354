import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../errors.ts';
import { type ClosedMonth, type MonthUses, noteArchive } from '../store/archive/archived-months.ts';
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

type Three<Value> = readonly [Value, Value, Value];

/** Where a row of the table has these columns. */
const columnsOf = ({ columns }: TableShape, [one, two, three]: Three<string>): Three<number> => [
  columns.indexOf(one),
  columns.indexOf(two),
  columns.indexOf(three),
];

/** What the uses among the entries of an archive charged to each account. */
export const usesByAccount = async (
  source: Pick<CopySource, 'rows'>,
  table: TableShape,
): Promise<ReadonlyMap<number, number>> => {
  const [kind, user, amount] = columnsOf(table, ['kind', 'user_id', 'amount']);
  const uses = new Map<number, number>();
  for await (const rows of source.rows(table)) {
    for (const row of rows) {
      if (row[kind] !== 'use') continue;
      const account = Number(row[user]);
      uses.set(account, (uses.get(account) ?? 0) + Number(row[amount]));
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

/** The archive must have every use of the month that the ledger has, and no entry of another month. */
const compare = async (source: CopySource, { after, lastId }: ClosedMonth, expected: MonthUses): Promise<void> => {
  const ledger = source.tables.find(({ name }) => name === ledgerShape.name);
  if (ledger === undefined) throw new StartError('The archive has no ledger');
  const [id, kind, amount] = columnsOf(ledger, ['id', 'kind', 'amount']);
  const found = { uses: 0, amount: 0 };
  for await (const rows of source.rows(ledger)) {
    for (const row of rows) {
      const entry = Number(row[id]);
      if (entry <= after || entry > lastId) throw new StartError(`The archive has entry ${entry} of another month`);
      if (row[kind] !== 'use') continue;
      found.uses += 1;
      found.amount += Number(row[amount]);
    }
  }
  if (found.uses === expected.uses && found.amount === expected.amount) return;
  const text = ({ uses, amount: quota }: typeof found) => `${uses} uses of ${quota}`;
  throw new StartError(`The archive has ${text(found)} quota, the ledger ${text(expected)}`);
};

/**
 * Writes a closed month of ledger and log to an archive, reads it back, compares it with the ledger, and notes it.
 * Nothing leaves the database here, and no folder that is there is deleted: one that a process left before it was noted is
 * compared like a new one. Resolves to the number of rows.
 */
export const archiveMonth = async (
  db: Database,
  month: ClosedMonth,
  { parent, now, signal }: ArchiveOptions,
): Promise<number> => {
  const directory = archivePath(parent, month.month);
  if (!existsSync(directory)) {
    const source = abortable(await openMonthSource(db, month), signal);
    const head = { format: 'weir archive 1', created: new Date(now).toISOString(), hasKey: false } as const;
    await writeFolder({ source, directory, head: { ...head, secretFingerprint: '' }, files: {} });
  }
  const manifest = readAnyManifest(directory);
  const written = abortable(openBackupSource(directory, manifest), signal);
  const rows = await checkFiles(written, manifest);
  const uses = await sumMonth(db.read, month);
  await compare(written, month, uses);
  await noteArchive(db, { ...month, ...uses, checksum: checksumOf(manifest), at: Math.floor(now / 1000) });
  return rows;
};
