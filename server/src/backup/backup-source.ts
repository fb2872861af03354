import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { StartError } from '../errors.ts';
import { type CopySource, readRow, type Row, type TableShape } from '../store/copies/copy-source.ts';
import { type Manifest, tableFile } from './manifest.ts';

const pageSize = 2000;
/** A row with the largest texts that the gateway stores is far smaller. */
const lineMax = 64 << 20;

const damaged = (table: string, error?: unknown): StartError =>
  new StartError(`The file of ${table} is damaged or cut off`, error);

/** The lines of a compressed file, some thousand at a time. */
async function* linesOf(path: string): AsyncGenerator<readonly string[]> {
  const stream = createReadStream(path);
  const text = stream.pipe(createGunzip()).setEncoding('utf8');
  stream.on('error', (error) => text.destroy(error));
  let rest = '';
  let lines: string[] = [];
  for await (const chunk of text) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > lineMax) throw new Error('A line is too long');
    lines.push(...parts);
    if (lines.length < pageSize) continue;
    yield lines;
    lines = [];
  }
  if (rest !== '') throw new Error('The last line is cut off');
  if (lines.length > 0) yield lines;
}

async function* rowsOf(path: string, table: TableShape): AsyncGenerator<readonly Row[]> {
  try {
    for await (const lines of linesOf(path)) yield lines.map((line) => readRow(JSON.parse(line), table));
  } catch (error) {
    throw damaged(table.name, error);
  }
}

/** The content of a backup. */
export const openBackupSource = (directory: string, manifest: Manifest): CopySource => {
  for (const { name } of manifest.tables)
    if (!existsSync(join(directory, tableFile(name)))) throw new StartError(`The backup has no file of ${name}`);
  return {
    migrations: manifest.migrations,
    tables: manifest.tables,
    rows: (table) => rowsOf(join(directory, tableFile(table.name)), table),
    close: async () => undefined,
  };
};
