/** One row of the import rule: all imports that files below a folder may have. Anything else is a lint error. */
export interface ImportRow {
  /** A folder or a file, from the root. `*` as the last name: each child folder has its own row. The longest match counts. */
  readonly folder: string;
  /** Other folders and files of this repository, from the root. A final `/` excludes files in folders below. */
  readonly ours: readonly string[];
  /** Packages and Node modules; a final `/*` includes everything below a name. */
  readonly packages: readonly string[] | 'any';
  /** Additional imports of its `*.test.ts` files: folders, files and packages. */
  readonly tests?: readonly string[];
  /** The only folders and files from which this folder may be imported; absent: every row that names it. */
  readonly onlyFor?: readonly string[];
}

const contract = ['@weir/contract/*'];
const node = ['node:*'];
/** For the whole server except its pure parts. */
const serverPackages = [...contract, 'valibot', 'pino', 'prom-client', ...node];
const serverTests = ['vitest', 'fast-check', ...node, 'server/test'];
const consolePackages = [
  ...contract,
  'valibot',
  'react',
  'react-dom',
  'react-dom/*',
  '@tanstack/react-query',
  'wouter',
];
const consoleTests = ['vitest', ...node, 'console/src', 'console/build'];

const errors = 'server/src/errors.ts';
const server = (...names: string[]) => [errors, ...names.map((name) => `server/src/${name}`)];
const consoleFolders = (...names: string[]) => names.map((name) => `console/src/${name}`);

const serverFolder = (name: string, ours: readonly string[], packages: readonly string[] = []): ImportRow => ({
  folder: `server/src/${name}`,
  ours: server(...ours),
  packages: [...serverPackages, ...packages],
  tests: serverTests,
});

/** Pure translators: no network, no database, no clock. `node:crypto` signs requests. */
const pureFolder = (name: string, ours: readonly string[] = []): ImportRow => ({
  folder: `server/src/${name}`,
  ours: server(...ours),
  packages: [...contract, 'node:crypto'],
  tests: serverTests,
});

const vendorFolder = (name: string, ...vendors: readonly string[]): ImportRow => {
  const others = ['openai', ...vendors].map((vendor) => `providers/${vendor}`);
  const row = pureFolder(`providers/${name}`, ['conversation', 'providers/', ...others]);
  return { ...row, tests: [...serverTests, 'server/src/providers'] };
};

const relayRoom = (name: string, ours: readonly string[], packages: readonly string[]): ImportRow => ({
  folder: `server/src/relay/${name}`,
  ours: server(...ours),
  packages,
  tests: serverTests,
});

const sql = ['kysely', 'kysely/*', 'pg'];

/** The rooms of the relay import one way: realtime, call, then rates, then state, client and routing, then upstream, then memory. */
const relayRooms: readonly ImportRow[] = [
  relayRoom('memory', ['relay/limits.ts'], ['node:os']),
  relayRoom(
    'upstream',
    ['relay/limits.ts', 'relay/forward-proxy.ts', 'relay/memory', 'conversation', 'providers', 'http'],
    ['node:*', 'ws'],
  ),
  relayRoom(
    'routing',
    ['relay/limits.ts', 'relay/forward-proxy.ts', 'providers', 'dialects', 'billing', 'store'],
    [...contract, 'node:crypto'],
  ),
  relayRoom(
    'client',
    ['relay/limits.ts', 'relay/memory', 'relay/upstream', 'providers', 'dialects', 'billing', 'store', 'http'],
    [...contract, 'node:*'],
  ),
  relayRoom('rates', ['relay/client', 'relay/routing', 'billing', 'store'], [...contract]),
  relayRoom('runs', ['relay/client', 'store'], [...contract, 'node:http']),
  relayRoom('state', ['relay/client', 'conversation', 'dialects', 'billing', 'store'], []),
  relayRoom(
    'call',
    [
      'relay/limits.ts',
      'relay/settings.ts',
      'relay/memory',
      'relay/state',
      'relay/client',
      'relay/routing',
      'relay/rates',
      'relay/runs',
      'relay/upstream',
      'conversation',
      'providers',
      'dialects',
      'billing',
      'store',
    ],
    [...contract, 'node:http'],
  ),
  relayRoom(
    'realtime',
    ['relay/memory', 'relay/call', 'relay/client', 'relay/upstream', 'conversation', 'providers', 'billing', 'http'],
    [...contract, 'node:http', 'ws'],
  ),
];

/** The import rule of docs/architecture.md. Paths are resolved before they are compared. */
export const importTable: readonly ImportRow[] = [
  { folder: 'contract/src', ours: [], packages: ['valibot'], tests: ['vitest', 'fast-check', ...node] },

  pureFolder('conversation'),
  pureFolder('providers', ['conversation']),
  // A vendor's folder imports the shared files in `providers/` and OpenAI's format, but no other vendor.
  vendorFolder('*'),
  vendorFolder('bedrock', 'anthropic'),
  vendorFolder('google', 'anthropic'),
  pureFolder('providers/providers.ts', ['conversation', 'providers']),
  pureFolder('dialects', ['conversation']),
  serverFolder('store', [], sql),
  {
    folder: 'server/src/store/engine',
    ours: [...server('store'), 'server/migrations'],
    packages: [...serverPackages, ...sql],
    tests: serverTests,
    onlyFor: ['server/src/', 'server/src/store', 'server/src/backup', 'server/test'],
  },
  // Stores of objects are signed for as the vendor's other services are.
  serverFolder('integrations', ['providers/bedrock/aws-signature.ts'], ['nodemailer', '@opentelemetry/*']),
  serverFolder('http', ['store'], ['fastify', '@fastify/*', '@valibot/to-json-schema', 'bcryptjs']),
  serverFolder('billing', ['store'], ['gpt-tokenizer', 'gpt-tokenizer/*']),
  serverFolder('billing/bills', ['billing', 'store'], ['csv-parse/sync']),
  serverFolder('relay', ['conversation', 'providers', 'dialects', 'billing', 'store', 'http'], ['ws']),
  ...relayRooms,
  // Reads other gateways' databases, whose tables the store does not know; what it writes is in `store/imports`.
  serverFolder('import', ['http', 'billing', 'store', 'api/option-check.ts'], ['pg', 'mysql2/promise', 'kysely']),
  // Commands on the machine: backup, restore, move.
  serverFolder('backup', ['config.ts', 'config-variables.ts', 'config-values.ts', 'store']),
  serverFolder(
    'jobs',
    ['relay', 'billing', 'store', 'integrations', 'backup'],
    ['@opentelemetry/api', '@opentelemetry/core'],
  ),
  serverFolder('api', ['http', 'billing', 'store', 'integrations', 'jobs'], ['fastify']),
  {
    folder: 'server/src',
    ours: [],
    packages: [...serverPackages, 'fastify', '@fastify/*'],
    tests: ['vitest', 'server/test'],
  },
  { folder: errors, ours: ['server/src/error-texts'], packages: [] },
  { folder: 'server/src/error-texts', ours: [], packages: [], onlyFor: [errors] },
  { folder: 'server/migrations/*', ours: [], packages: ['kysely'] },
  // A server under test is started with the start flags of `npm start`.
  {
    folder: 'server/test',
    ours: ['server/src', 'server/migrations', 'server/start.json', 'scripts/steps/server-build.mjs'],
    packages: 'any',
  },

  { folder: 'e2e', ours: ['server/test'], packages: 'any' },
  // Long tests store their results with those of the benches.
  { folder: 'e2e/long', ours: ['e2e', 'bench/circumstances.ts'], packages: 'any' },

  { folder: 'console/src/lib', ours: consoleFolders('paraglide'), packages: consolePackages, tests: consoleTests },
  {
    folder: 'console/src/components',
    ours: consoleFolders('lib', 'paraglide'),
    packages: [...consolePackages, '@base-ui/react/*', 'marked', 'dompurify', 'uplot'],
    tests: consoleTests,
  },
  {
    folder: 'console/src/features/*',
    ours: consoleFolders('components', 'lib', 'paraglide'),
    packages: consolePackages,
    tests: ['vitest', ...node, 'console/src/testing'],
  },
  {
    folder: 'console/src/app',
    ours: consoleFolders('features', 'components', 'lib', 'paraglide', ''),
    packages: [...consolePackages, '@base-ui/react/*'],
    tests: consoleTests,
  },
  { folder: 'console/src/testing', ours: ['console/src'], packages: 'any' },
  {
    folder: 'console/build',
    // The table of the head script derives from the tables of the screens.
    ours: consoleFolders('app'),
    packages: [...contract, 'valibot', 'vite', '@gfx/zopfli', ...node],
    tests: ['vitest'],
  },
];
