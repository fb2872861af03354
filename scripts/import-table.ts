/** One row of the import rule: what the files of a folder may import, in full. Anything else is a lint error. */
export interface ImportRow {
  /** Folder below the root, or the files themselves where a folder holds files with rules of their own. */
  readonly folder: string;
  /** Relative specifiers, as globs. `./` is the folder itself. */
  readonly ours: readonly string[];
  /** Packages and Node modules, as globs. */
  readonly packages: readonly string[] | 'any';
  /** What only its `*.test.ts` files may import besides. */
  readonly tests?: readonly string[];
}

const contract = '@weir/contract/*';
/** For the whole server but its pure parts. */
const serverPackages = [contract, 'valibot', 'pino', 'prom-client', 'node:*', 'node:*/**'];
const serverTests = ['vitest', 'fast-check', 'node:*', 'node:*/**', '../../test/**'];
const consolePackages = [contract, 'valibot', 'react', 'react-dom', 'react-dom/*', '@tanstack/*'];
const consoleTests = ['vitest', 'node:*', '../**'];

const serverFolder = (name: string, ours: readonly string[], packages: readonly string[] = []): ImportRow => ({
  folder: `server/src/${name}`,
  ours: ['./*', '../errors.ts', ...ours.map((folder) => `../${folder}/*`)],
  packages: [...serverPackages, ...packages],
  tests: serverTests,
});

/** Pure translators: no network, no database, no clock. `node:crypto` signs requests. */
const pureFolder = (name: string, ours: readonly string[] = []): ImportRow => ({
  folder: `server/src/${name}`,
  ours: ['./*', '../errors.ts', ...ours.map((folder) => `../${folder}/*`)],
  packages: [contract, 'node:crypto'],
  tests: serverTests,
});

/** The import rule of docs/architecture.md. A later row replaces an earlier one for the files they share. */
export const importTable: readonly ImportRow[] = [
  { folder: 'contract/src', ours: ['./*'], packages: ['valibot'], tests: ['vitest', 'fast-check', 'node:*'] },

  pureFolder('conversation'),
  pureFolder('providers', ['conversation']),
  pureFolder('dialects', ['conversation']),
  { ...serverFolder('store', [], ['kysely', 'kysely/*', 'pg']), ours: ['./*', './engine/*', '../errors.ts'] },
  {
    folder: 'server/src/store/engine',
    ours: ['./*', '../*.ts', '../../errors.ts', '../../../migrations/*'],
    packages: [...serverPackages, 'kysely', 'kysely/*', 'pg'],
    tests: [...serverTests, '../../../test/**'],
  },
  serverFolder('integrations', [], ['nodemailer']),
  serverFolder('http', ['store'], ['fastify', '@fastify/*', '@valibot/to-json-schema', 'bcryptjs']),
  serverFolder('billing', ['store'], ['gpt-tokenizer', 'gpt-tokenizer/**']),
  serverFolder('relay', ['conversation', 'providers', 'dialects', 'billing', 'store', 'http'], ['ws']),
  serverFolder('jobs', ['relay', 'billing', 'store', 'integrations']),
  serverFolder('api', ['http', 'billing', 'store', 'integrations', 'jobs'], ['fastify']),
  {
    folder: 'server/src/*.ts',
    ours: ['./**'],
    packages: [...serverPackages, 'fastify', '@fastify/*'],
    tests: ['vitest', '../test/**'],
  },
  { folder: 'server/src/errors.ts', ours: [], packages: [] },
  { folder: 'server/migrations', ours: [], packages: ['kysely'] },
  // The last: a server under test is started as an operator starts it.
  { folder: 'server/test', ours: ['./**', '../src/**', '../migrations/*', '../start.json'], packages: 'any' },
  { folder: 'server/test/simulator', ours: ['./*', '../*', '../../src/**'], packages: 'any' },

  { folder: 'e2e', ours: ['./**', '../server/test/*'], packages: 'any' },
  // What takes long keeps its figures beside those of the benches.
  { folder: 'e2e/long', ours: ['./*', '../*', '../../bench/circumstances.ts'], packages: 'any' },

  { folder: 'console/src/lib', ours: ['./*', '../paraglide/*'], packages: consolePackages, tests: consoleTests },
  {
    folder: 'console/src/components',
    ours: ['./*', '../lib/*', '../paraglide/*'],
    packages: [...consolePackages, '@base-ui/react/**', 'marked', 'dompurify', 'uplot'],
    tests: consoleTests,
  },
  {
    folder: 'console/src/features',
    ours: ['./*', '../../components/*', '../../lib/*', '../../paraglide/*'],
    packages: consolePackages,
    tests: ['vitest', 'node:*', '../../testing/*'],
  },
  {
    folder: 'console/src/app',
    ours: ['./*', '../features/**', '../components/*', '../lib/*', '../paraglide/*', '../*.css'],
    packages: [...consolePackages, '@base-ui/react/**'],
    tests: consoleTests,
  },
  { folder: 'console/src/testing', ours: ['./*', '../**'], packages: 'any' },
  {
    folder: 'console/build',
    ours: ['./*'],
    packages: [contract, 'valibot', 'vite', 'preact/compat', '@gfx/zopfli', 'node:*', 'node:*/**'],
    tests: ['vitest'],
  },
];
