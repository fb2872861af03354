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

interface Packing {
  /** Compress scripts with zopfli: slower, but 3 % smaller. */
  readonly thorough: boolean;
}

const gzipped = (file: string, content: Buffer, { thorough }: Packing): Promise<Uint8Array> =>
  thorough && file.endsWith('.js')
    ? zopfli.gzipAsync(content, { numiterations: iterations })
    : toGzip(content, { level: 9 });

const compressFile = async (file: string, packing: Packing): Promise<void> => {
  const content = await readFile(file);
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await toBrotli(content, { params: size }));
  await writeFile(`${file}.gz`, await gzipped(file, content, packing));
};

/** Writes `.br` and `.gz` beside every text file of the build. */
export const precompress = (packing: Packing): Plugin => ({
  name: 'weir:precompress',
  apply: 'build',
  async writeBundle(options) {
    const directory = options.dir ?? 'dist';
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
    await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name), packing)));
  },
});
