import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { StartError } from '../errors.ts';

/** Names that are safe as files and in SQL. */
const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,62}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const backupFormat = 'weir backup 1';
/** A closed month of ledger and log, in the form of a backup. */
const archiveFormat = 'weir archive 1';

const manifestSchema = v.object({
  format: v.picklist([backupFormat, archiveFormat]),
  created: v.string(),
  /** The migrations that made the tables. */
  migrations: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[0-9a-z-]{1,100}$/))), v.maxLength(10_000)),
  /** Of the key that sealed the secrets; empty: nothing was sealed. */
  secretFingerprint: v.string(),
  hasKey: v.boolean(),
  tables: v.pipe(
    v.array(
      v.object({
        name,
        columns: v.array(name),
        key: v.array(name),
        lastId: count,
        rows: count,
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
        sums: v.record(name, v.string()),
      }),
    ),
    v.maxLength(1000),
  ),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

const fileName = 'manifest.json';
const bytesMax = 4 << 20;

/** Whether a folder is a backup or an archive. */
export const hasManifest = (directory: string): boolean => existsSync(join(directory, fileName));

export const isArchive = ({ format }: Manifest): boolean => format === archiveFormat;

export const tableFile = (table: string): string => `${table}.jsonl.gz`;

/** SHA-256 over everything in the manifest, and so over the checksums of its files. */
export const checksumOf = (manifest: unknown): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** Name and text of the file. Its checksum covers everything else in it, and so every table. */
export const manifestFile = (manifest: Manifest) => ({
  name: fileName,
  text: `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 2)}\n`,
});

/** Reads and checks the manifest of a backup or an archive. */
export const readAnyManifest = (directory: string): Manifest => {
  const path = join(directory, fileName);
  if (!existsSync(path)) throw new StartError(`${directory} is no backup: it has no ${fileName}`);
  if (statSync(path).size > bytesMax) throw new StartError(`${path} is too large for a manifest`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StartError(`${path} cannot be read`, error);
  }
  if (typeof value !== 'object' || value === null) throw new StartError(`${path} is no manifest`);
  const { checksum, ...rest } = { checksum: undefined, ...value };
  const parsed = v.safeParse(manifestSchema, rest);
  if (!parsed.success) throw new StartError(`${path} is no manifest that this version reads`);
  if (checksum !== checksumOf(rest)) throw new StartError(`${path} is damaged: its checksum does not match`);
  return parsed.output;
};

/** Reads and checks the manifest of a backup. */
export const readManifest = (directory: string): Manifest => {
  const manifest = readAnyManifest(directory);
  if (isArchive(manifest))
    throw new StartError(
      `${directory} is the archive of a closed month, and no backup: nothing can be restored from it`,
    );
  return manifest;
};
