import { closeSync, createWriteStream, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  type CopySource,
  createSummary,
  lineOf,
  type TableShape,
  type TableSummary,
} from '../store/copies/copy-source.ts';
import { makeDirectory } from '../store/engine/data-directory.ts';
import { type Manifest, manifestFile, tableFile } from './manifest.ts';

export const keyFile = 'secret.key';

const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const syncFile = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const writeTable = async (directory: string, source: CopySource, table: TableShape): Promise<TableSummary> => {
  const path = join(directory, tableFile(table.name));
  const summary = createSummary(table);
  const lines = async function* () {
    for await (const rows of source.rows(table)) {
      const text = rows.map(lineOf).join('');
      summary.add(rows, text);
      yield text;
    }
  };
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const closed = once(file, 'close');
  // The fastest level: half the size of the next ones' time.
  await pipeline(lines, createGzip({ level: 1 }), file);
  await closed;
  syncFile(path);
  return summary.end();
};

interface FolderOptions {
  readonly source: CopySource;
  /** Its path, which it has once everything is there. */
  readonly directory: string;
  readonly head: Omit<Manifest, 'migrations' | 'tables'>;
  /** Files beside those of the tables, with their text. */
  readonly files: Readonly<Record<string, string>>;
}

/** Writes tables and a manifest into a folder. What is left of one that was interrupted is replaced. */
export const writeFolder = async ({ source, directory, head, files }: FolderOptions): Promise<Manifest> => {
  const parent = dirname(directory);
  const draft = `${directory}.unfinished`;
  makeDirectory(parent);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    const tables: Manifest['tables'] = [];
    for (const table of source.tables) {
      const { name, columns, key: primary, lastId } = table;
      const summary = await writeTable(draft, source, table);
      tables.push({ name, columns: [...columns], key: [...primary], lastId, ...summary, sums: { ...summary.sums } });
    }
    const manifest: Manifest = { ...head, migrations: [...source.migrations], tables };
    const { name, text } = manifestFile(manifest);
    for (const [file, content] of Object.entries({ ...files, [name]: text })) writeDurably(join(draft, file), content);
    syncFile(draft);
    renameSync(draft, directory);
    syncFile(parent);
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
};

interface WriteOptions {
  readonly source: CopySource;
  /** The folder that gets the backup's own. */
  readonly parent: string;
  readonly at: Date;
  readonly secretFingerprint: string;
  /** As text; undefined: left out. */
  readonly key: string | undefined;
}

/** Writes a backup into a folder of its own. Returns its path. */
export const writeBackup = async ({ source, parent, at, secretFingerprint, key }: WriteOptions): Promise<string> => {
  const directory = join(parent, `weir-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
  await writeFolder({
    source,
    directory,
    head: { format: 'weir backup 1', created: at.toISOString(), secretFingerprint, hasKey: key !== undefined },
    files: key === undefined ? {} : { [keyFile]: `${key}\n` },
  });
  return directory;
};
