import { checkArchive, checkArchives } from './backup/check-archives.ts';
import { checkBackup, checkKey } from './backup/check-backup.ts';
import { keyOf, placeOf, readArguments, say } from './backup/command-line.ts';
import { hasManifest, isArchive, readAnyManifest } from './backup/manifest.ts';
import { variables } from './config-variables.ts';
import { readVariable } from './config.ts';
import { StartError } from './errors.ts';
import { type CopyPlace, openCopySource } from './store/copies/copy-place.ts';
import { quickCheck } from './store/copies/quick-check.ts';
import { openReadOnly } from './store/engine/read-only.ts';
import { verifyLedger, type Verification } from './store/ledger/verify.ts';

const usage = `npm run verify -- [backup, archive, or data directory]
Compares ledger and balances, also while the gateway runs, and tries the secret key (secret.key there, or SECRET_KEY). Without
an argument: DATA_DIR or DATABASE_URL, and the archives in ARCHIVE_DIR. A backup is read to its end and restored into the folder
for temporary files, an archive of a month read to its end.
Ends with 0 where everything agrees, 1 where something does not or cannot be used, 2 where nothing could be read.`;

interface Check extends Pick<Verification, 'findings'> {
  /** Undefined: the ledger was not reached. */
  readonly figures: Verification['figures'] | undefined;
  readonly checked: readonly string[];
  /** What keeps the copy from being used, beside the ledger. */
  readonly faults: readonly string[];
}

/** The ledger was not reached. */
const unread = { findings: [], figures: undefined };

const tryKey = async (place: CopyPlace): Promise<Pick<Check, 'checked' | 'faults'>> => {
  const source = await openCopySource(place);
  try {
    return { checked: [await checkKey(source, keyOf(place))], faults: [] };
  } catch (error) {
    return { checked: [], faults: [error instanceof Error ? error.message : String(error)] };
  } finally {
    await source.close();
  }
};

const checkPlace = async (place: CopyPlace): Promise<Check> => {
  const whole: string[] = [];
  if (place.databaseUrl === undefined) {
    const damage = quickCheck(place.dataDir);
    if (damage !== undefined) return { ...unread, checked: [], faults: [damage] };
    whole.push('no page of the file is damaged (quick_check)');
  }
  const db = openReadOnly(place);
  try {
    const { checked, faults } = await tryKey(place);
    const archives = await checkArchives(db, readVariable(process.env, variables.archiveDir));
    return {
      ...(await verifyLedger(db)),
      checked: [...whole, ...checked, ...archives.checked],
      faults: [...faults, ...archives.faults],
    };
  } finally {
    await db.close();
  }
};

/** A backup that is damaged was looked at: unlike a place that cannot be read, it has a fault. */
const checkFolder = async (directory: string): Promise<Check> => {
  try {
    if (isArchive(readAnyManifest(directory)))
      return { ...unread, checked: [await checkArchive(directory)], faults: [] };
    return { ...(await checkBackup(directory, readVariable(process.env, variables.secretKey))), faults: [] };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { ...unread, checked: [], faults: [error.message] };
  }
};

const check = async (argument: string | undefined): Promise<Check> => {
  const place = placeOf(argument);
  return argument !== undefined && hasManifest(place.dataDir) ? checkFolder(place.dataDir) : checkPlace(place);
};

const main = async (): Promise<number> => {
  const { positionals } = readArguments({}, 1);
  const { findings, figures, checked, faults } = await check(positionals[0]);
  for (const { rule, subject, expected, found } of findings)
    say(`${rule}: ${subject}: expected ${expected}, found ${found}`);
  for (const line of checked) say(`Checked: ${line}`);
  for (const line of faults) say(`Not usable: ${line}`);
  if (figures !== undefined) {
    const folded = figures.folded === 0 ? '' : `, ${figures.folded} in archives`;
    const looked = `${figures.entries} entries${folded}, ${figures.holds} open holds, ${figures.unrecovered} quota uncollected`;
    const result = findings.length === 0 ? 'The ledger matches the balances' : `${findings.length} findings`;
    say(`${result}: ${looked}`);
  }
  return findings.length + faults.length === 0 ? 0 : 1;
};

if (process.argv.includes('--help')) {
  say(usage);
} else {
  try {
    process.exitCode = await main();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The ledger cannot be checked: ${reason}\n`);
    process.exitCode = 2;
  }
}
