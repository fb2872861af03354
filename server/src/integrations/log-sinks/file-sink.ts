import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../errors.ts';
import type { LogSink } from './log-sink.ts';

const megabyte = 1024 * 1024;

const wholeNumber = (url: URL, name: string, fallback: number): number => {
  const text = url.searchParams.get(name) ?? String(fallback);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 100_000)
    throw new StartError(`LOG_SINK_URL: ${name} must be a whole number from 1 to 100000`);
  return value;
};

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};

/** `calls.jsonl` becomes `calls.jsonl.1`, that one `.2`, and so on; what would be older than `keep` files is deleted. */
const rotate = async (path: string, keep: number): Promise<void> => {
  await rm(`${path}.${keep}`, { force: true });
  for (let index = keep - 1; index >= 1; index -= 1)
    if ((await sizeOf(`${path}.${index}`)) > 0) await rename(`${path}.${index}`, `${path}.${index + 1}`);
  await rename(path, `${path}.1`);
};

const chunk = 64 * 1024;

/** Cuts what follows the last end of a line: a write that was cut off, whose records come again. */
const cutTorn = async (file: FileHandle): Promise<void> => {
  let { size } = await file.stat();
  const whole = size;
  while (size > 0) {
    const start = Math.max(0, size - chunk);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const end = buffer.subarray(0, bytesRead).lastIndexOf(10);
    size = start + end + 1;
    if (end >= 0) break;
    size = start;
  }
  if (size < whole) await file.truncate(size);
};

/** `file:///path/calls.jsonl?max_mb=100&keep=10`: JSON lines, on the disk before the batch counts as sent. */
export const openFileSink = (url: URL): LogSink => {
  const [maxBytes, keep] = [wholeNumber(url, 'max_mb', 100) * megabyte, wholeNumber(url, 'keep', 10)];
  const path = fileURLToPath(`file://${url.pathname}`);
  return {
    send: async ({ lines }) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      await mkdir(dirname(path), { recursive: true });
      const size = await sizeOf(path);
      if (size > 0 && size + bytes.length > maxBytes) await rotate(path, keep);
      const file = await open(path, 'a+', 0o640);
      try {
        await cutTorn(file);
        await file.appendFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
};
