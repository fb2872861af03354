import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const files = {
  'index.html': '<!doctype html><title>Weir</title><script>boot()</script><p>console</p>',
  'csp.json': JSON.stringify({ script: "'sha256-script'", style: "'sha256-style'" }),
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-D1gE5t.js': 'console.log("weir");'.repeat(50),
};

/** A build of the console in small: a page, a hashed file, their compressed forms and the hashes of the page. */
export const createConsoleBuild = (): { readonly dir: string; remove(): void } => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-console-'));
  mkdirSync(join(dir, 'assets'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(dir, name), text);
    writeFileSync(join(dir, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(dir, `${name}.gz`), gzipSync(text));
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

export const consolePage = files['index.html'];
