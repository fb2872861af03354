import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { importTable } from './import-table.ts';
import { type Finding, lintPlanted } from './planted.ts';
import { root } from '../steps/root.mjs';

/** For each folder: imports that it may have, and plausible ones that it must not have. */
const imports: readonly (readonly [folder: string, allowed: readonly string[], refused: readonly string[]])[] = [
  [
    'contract/src',
    ['./wire.ts', 'valibot'],
    ['../../server/src/errors.ts', 'node:fs', 'fastify', 'react', '@weir/contract/wire'],
  ],
  [
    'server/src/conversation',
    ['./x.ts', '@weir/contract/wire'],
    ['../providers/x.ts', '../dialects/x.ts', '../relay/relay.ts', 'node:http', 'undici'],
  ],
  [
    'server/src/providers',
    ['./failure.ts', '../conversation/x.ts', '../errors.ts', '@weir/contract/wire', 'node:crypto'],
    [
      '../store/tokens.ts',
      '../dialects/x.ts',
      '../http/route.ts',
      '../relay/relay.ts',
      '../config.ts',
      'undici',
      'node:http',
      'kysely',
    ],
  ],
  [
    'server/src/providers/baidu',
    ['./x.ts', '../failure.ts', '../openai/x.ts', '../../conversation/x.ts', '@weir/contract/wire', 'node:crypto'],
    ['../alibaba/x.ts', '../anthropic/x.ts', '../../dialects/x.ts', '../../relay/relay.ts', 'undici'],
  ],
  [
    'server/src/providers/bedrock',
    ['./x.ts', '../failure.ts', '../anthropic/x.ts'],
    ['../alibaba/x.ts', '../google/x.ts', '../../store/tokens.ts', 'node:http'],
  ],
  [
    'server/src/dialects',
    ['./x.ts', '../conversation/x.ts', '../errors.ts', '@weir/contract/wire'],
    ['../providers/x.ts', '../store/tokens.ts', '../billing/price.ts', 'node:fs', 'undici'],
  ],
  [
    'server/src/store',
    ['./schema.ts', './engine/sqlite.ts', '../errors.ts', '@weir/contract/tokens', 'kysely', 'pg', 'node:sqlite'],
    [
      '../billing/price.ts',
      '../http/route.ts',
      '../api/tokens.ts',
      '../relay/relay.ts',
      '../app.ts',
      'fastify',
      'undici',
    ],
  ],
  [
    'server/src/store/engine',
    ['./sqlite.ts', '../schema.ts', '../../errors.ts', '../../../migrations/0001-initial.ts', 'kysely', 'node:sqlite'],
    ['../../billing/price.ts', '../../api/tokens.ts', '../../app.ts', '../../../test/database.ts', 'fastify'],
  ],
  [
    'server/src/error-texts',
    [],
    ['./other-texts.ts', '../errors.ts', '../store/tokens.ts', '@weir/contract/wire', 'valibot'],
  ],
  [
    'server/src/integrations',
    ['./smtp.ts', '../errors.ts', '@weir/contract/wire', 'nodemailer', 'node:net'],
    ['../store/tokens.ts', '../billing/price.ts', '../api/tokens.ts', '../jobs/x.ts', 'kysely', 'undici'],
  ],
  [
    'server/src/http',
    ['./route.ts', '../store/users.ts', '../errors.ts', '@weir/contract/users', 'fastify', '@fastify/cookie'],
    ['../billing/price.ts', '../api/tokens.ts', '../relay/relay.ts', '../providers/x.ts', 'kysely', 'undici'],
  ],
  [
    'server/src/billing',
    ['./price.ts', '../store/postings.ts', '../errors.ts', '@weir/contract/wire', 'gpt-tokenizer'],
    ['../http/route.ts', '../api/tokens.ts', '../relay/relay.ts', '../providers/x.ts', 'kysely', 'fastify', 'undici'],
  ],
  [
    'server/src/relay',
    [
      './relay.ts',
      '../providers/x.ts',
      '../dialects/x.ts',
      '../billing/price.ts',
      '../store/tokens.ts',
      '../http/x.ts',
      '../conversation/x.ts',
      '../errors.ts',
      'ws',
    ],
    [
      '../api/tokens.ts',
      '../jobs/x.ts',
      '../integrations/smtp.ts',
      '../app.ts',
      '../store/engine/sqlite.ts',
      '../store/../api/x.ts',
      'kysely',
      'fastify',
    ],
  ],
  [
    'server/src/relay/upstream',
    ['./sse.ts', '../limits.ts', '../../providers/x.ts', '../../http/ranges.ts', 'node:net', 'ws'],
    [
      '../client/client.ts',
      '../routing/affinity.ts',
      '../call/run-call.ts',
      '../realtime/sessions.ts',
      '../relay.ts',
      '../settings.ts',
      '../../store/tokens.ts',
      '../../billing/price/price.ts',
    ],
  ],
  [
    'server/src/relay/routing',
    [
      './affinity.ts',
      '../limits.ts',
      '../../billing/price/price.ts',
      '../../store/secrets.ts',
      '@weir/contract/groups',
    ],
    [
      '../client/client.ts',
      '../upstream/upstream.ts',
      '../call/run-call.ts',
      '../realtime/sessions.ts',
      '../assemble.ts',
      '../../http/route.ts',
      'node:http',
      'ws',
    ],
  ],
  [
    'server/src/relay/client',
    ['./client.ts', '../upstream/upstream-call.ts', '../../dialects/x.ts', '../../store/tokens.ts', 'node:http'],
    [
      '../call/relayed-call.ts',
      '../routing/affinity.ts',
      '../realtime/realtime.ts',
      '../relay.ts',
      '../settings.ts',
      '../../conversation/json.ts',
      'ws',
    ],
  ],
  [
    'server/src/relay/call',
    [
      './run-call.ts',
      '../client/client.ts',
      '../routing/affinity.ts',
      '../upstream/upstream.ts',
      '../settings.ts',
      '../../billing/price/price.ts',
    ],
    ['../realtime/sessions.ts', '../relay.ts', '../assemble.ts', '../../http/route.ts', '../../jobs/x.ts', 'ws'],
  ],
  [
    'server/src/relay/realtime',
    ['./sessions.ts', '../call/run-call.ts', '../client/client-request.ts', '../upstream/open-socket.ts', 'ws'],
    ['../routing/affinity.ts', '../relay.ts', '../limits.ts', '../../store/tokens.ts', '../../dialects/x.ts'],
  ],
  [
    'server/src/import',
    ['../store/tokens.ts', '../api/option-check.ts', 'mysql2/promise', 'pg'],
    ['../api/tokens.ts', '../relay/relay.ts', '../store/engine/migrate.ts'],
  ],
  ['server/src/backup', ['../store/copies/copy-place.ts', '../config.ts'], ['../api/tokens.ts', '../jobs/x.ts', 'pg']],
  [
    'server/src/jobs',
    [
      './x.ts',
      '../relay/relay.ts',
      '../billing/price.ts',
      '../store/tokens.ts',
      '../integrations/smtp.ts',
      '../errors.ts',
    ],
    ['../api/tokens.ts', '../http/route.ts', '../providers/x.ts', '../dialects/x.ts', 'kysely', 'fastify'],
  ],
  [
    'server/src/api',
    [
      './tokens.ts',
      '../http/route.ts',
      '../billing/price.ts',
      '../store/tokens.ts',
      '../integrations/smtp.ts',
      '../jobs/x.ts',
      '../errors.ts',
    ],
    [
      '../relay/relay.ts',
      '../providers/x.ts',
      '../dialects/x.ts',
      '../app.ts',
      '../../test/app.ts',
      'kysely',
      'undici',
      '../../../console/src/lib/api/call.ts',
    ],
  ],
  [
    'server/src',
    ['./api/tokens.ts', './relay/relay.ts', '@weir/contract/wire', 'fastify'],
    ['../test/app.ts', '../../console/src/lib/api/call.ts', 'kysely'],
  ],
  ['server/migrations', ['kysely'], ['../src/store/schema.ts', 'pg', './0000-other.ts']],
  ['server/test', ['./app.ts', '../src/app.ts', 'pg'], ['../../console/src/lib/api/call.ts', '../../e2e/x.ts']],
  [
    'e2e',
    ['./x.ts', '../server/test/app/server-process.ts', '@playwright/test'],
    ['../server/src/app.ts', '../console/src/lib/api/call.ts'],
  ],
  [
    'e2e/long',
    ['./x.ts', '../support/gateway.ts', '../../bench/circumstances.ts'],
    ['../../bench/workers.ts', '../../server/test/app/app.ts'],
  ],
  [
    'console/src/lib',
    ['./call.ts', '../paraglide/messages.js', '@weir/contract/tokens', 'react'],
    [
      '../components/button.tsx',
      '../features/tokens/x.ts',
      '../app/router.ts',
      '../../../server/src/errors.ts',
      '@base-ui/react/menu',
      'fastify',
    ],
  ],
  [
    'console/src/components',
    ['./button.tsx', '../lib/call.ts', '@weir/contract/tokens', '@base-ui/react/menu'],
    ['../features/tokens/x.ts', '../app/router.ts', '../testing/x.ts', '../../../server/src/errors.ts'],
  ],
  [
    'console/src/features/tokens',
    ['./columns.tsx', '../../components/button.tsx', '../../lib/call.ts', '@weir/contract/tokens'],
    [
      '../channels/columns.tsx',
      '../../features/logs/x.ts',
      '../../app/router.ts',
      '../../../../server/src/errors.ts',
      '@base-ui/react/menu',
    ],
  ],
  [
    'console/src/app',
    [
      './router.tsx',
      '../features/tokens/token-list.tsx',
      '../components/button.tsx',
      '../lib/call.ts',
      '../styles.css',
    ],
    ['../testing/x.ts', '../../../server/src/errors.ts', 'fastify', 'node:fs'],
  ],
];

const importFile = (folder: string) => `${folder}/planted.ts`;
/** The four ways to name a module, in turn. */
const importLine = (specifier: string, index: number): string =>
  [
    `import { x as x${index} } from '${specifier}';`,
    `import type { X as X${index} } from '${specifier}';`,
    `export { y as y${index} } from '${specifier}';`,
    `export const z${index} = import('${specifier}');`,
  ][index % 4] ?? '';

const testFile = 'server/src/store/planted.test.ts';
let findings: Finding[] = [];
beforeAll(() => {
  const files = imports.map(([folder, allowed, refused]): [string, string] => [
    importFile(folder),
    [...allowed, ...refused].map(importLine).join('\n'),
  ]);
  findings = lintPlanted({
    ...Object.fromEntries(files),
    [testFile]: ['vitest', '../../test/app.ts', '../api/tokens.ts'].map(importLine).join('\n'),
  });
});

/** The specifiers that the import rule refused in a file. */
const refusedIn = (path: string): Set<string | undefined> => {
  const refusals = findings.filter(({ file, rule }) => file === path && rule === 'imports');
  return new Set(refusals.map(({ message }) => /'([^']+)'/.exec(message)?.[1]));
};

test.each(imports)('%s imports what its row of the import table allows, and nothing else', (folder, _, refused) => {
  expect(refusedIn(importFile(folder))).toEqual(new Set(refused));
});

test('a test file may also import the test set-up, but no other folder', () => {
  expect(refusedIn(testFile)).toEqual(new Set(['../api/tokens.ts']));
});

const foldersBelow = (path: string): string[] =>
  existsSync(join(root, path))
    ? readdirSync(join(root, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${path}/${entry.name}`)
    : [];

test('every folder of the server and the console has a row in the import table, and a planted violation', () => {
  const generated = 'console/src/paraglide';
  const folders = [...foldersBelow('server/src'), ...foldersBelow('console/src')];
  const rows = importTable.map((row) => row.folder.replace(/\/\*$/, ''));
  expect(folders.filter((folder) => folder !== generated && !rows.includes(folder))).toEqual([]);
  const planted = imports.map(([folder]) => folder);
  const lenient = ['console/src/testing'];
  expect(
    folders.filter(
      (folder) => ![generated, ...lenient].includes(folder) && !planted.some((path) => path.startsWith(folder)),
    ),
  ).toEqual([]);
});
