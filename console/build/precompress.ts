import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|html|svg|json|txt)$/;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const iterations = 3;

/** Plain gzip for what is read once; scripts, fetched by every visitor, get the 3 % that patience still finds. */
const gzipped = (file: string, content: Buffer): Promise<Uint8Array> =>
  file.endsWith('.js') ? zopfli.gzipAsync(content, { numiterations: iterations }) : toGzip(content, { level: 9 });

const compressFile = async (file: string): Promise<void> => {
  const content = await readFile(file);
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await toBrotli(content, { params: size }));
  await writeFile(`${file}.gz`, await gzipped(file, content));
};

/** Writes `.br` and `.gz` beside every text file of the build, at the best level, once. */
export const precompress = (): Plugin => ({
  name: 'weir:precompress',
  apply: 'build',
  async writeBundle(options) {
    const directory = options.dir ?? 'dist';
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
    await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
  },
});
