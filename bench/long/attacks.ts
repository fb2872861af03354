/**
 * The attacks that the gateway must withstand, as tests: those whose titles name an attack of the list (`S1` to `S26`), and the
 * files of what has always held. Each runs against a real listener with hostile upstreams and clients, on the database of
 * TEST_DATABASE. The result is stored in `bench/results/`. `bench/memory.ts` is the flood on a process of its own.
 *
 *   npm run verify:long -- attacks
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const attacks = Array.from({ length: 26 }, (_, index) => `S${index + 1}`);
/** Found and not preventable: a second answer that comes late, on a connection that serves the next call (HTTP/1.1). */
const inherent = ['S26'];

/** What has always held: request smuggling, fuzzing, ownership, hostile bytes of upstreams, cut clients. */
const held = [
  'server/src/relay/client/hostile-answers.test.ts',
  'server/src/relay/upstream/address-guard.test.ts',
  'server/src/relay/upstream/response-parser.test.ts',
  'server/test/contract/fuzz.test.ts',
  'server/test/contract/ownership.test.ts',
  'server/test/relay/bad-requests.test.ts',
  'server/test/relay/body-fuzz.test.ts',
  'server/test/relay/client-cuts.test.ts',
  'server/test/relay/connections.test.ts',
  'server/test/relay/uploads.test.ts',
];

/** A title that names an attack. */
const attackName = /\bS(?:[1-9]|1\d|2[0-6])\b/;

interface Found {
  readonly title: string;
  readonly file: string;
  readonly passed: boolean;
}

const root = join(import.meta.dirname, '..', '..');
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const listAt = (value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Test files whose text fits: the others need not be loaded. */
const filesWith = (text: RegExp): readonly string[] =>
  globSync('server/{src,test}/**/*.test.ts', { cwd: root }).filter((file) =>
    text.test(readFileSync(join(root, file), 'utf8')),
  );

/** Runs a selection of the tests; resolves to those that ran. */
const play = (selection: readonly string[]): readonly Found[] => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-attacks-'));
  const report = join(dir, 'report.json');
  const projects = ['--project', 'unit', '--project', testDatabaseKind];
  const args = ['run', ...projects, ...selection, '--reporter=default', '--reporter=json', `--outputFile=${report}`];
  try {
    spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const results = listAt(JSON.parse(readFileSync(report, 'utf8')), 'testResults');
    return results.flatMap((file) =>
      listAt(file, 'assertionResults')
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .map(({ fullName, status }) => ({
          title: String(fullName),
          file: String(file['name']).slice(root.length + 1),
          passed: status === 'passed',
        })),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

const before = circumstances();
const started = performance.now();
const named = play(['-t', attackName.source, ...filesWith(attackName)]);
const always = play(held);
const names = (title: string, attack: string): boolean => new RegExp(String.raw`\b${attack}\b`).test(title);
const rows = attacks.map((attack) => {
  const tests = named.filter(({ title }) => names(title, attack));
  return { attack, tests: tests.length, failed: tests.filter(({ passed }) => !passed).map(({ title }) => title) };
});
const failed = [...named, ...always].filter(({ passed }) => !passed).map(({ file, title }) => `${file}: ${title}`);
const untested = rows
  .filter(({ attack, tests }) => tests === 0 && !inherent.includes(attack))
  .map(({ attack }) => attack);
keepResult(`attacks-${testDatabaseKind}`, {
  what: 'the list of attacks, and what has always held',
  database: testDatabaseKind,
  ...before,
  seconds: Math.round((performance.now() - started) / 1000),
  attacks: Object.fromEntries(
    rows.map(({ attack, tests }) => [attack, inherent.includes(attack) ? 'inherent' : tests]),
  ),
  held: { files: held.length, tests: always.length },
  untested,
  failed,
});
console.log(
  `${testDatabaseKind}: ${named.length + always.length} tests, ${failed.length} failed, untested: ${untested.join(', ') || 'none'}`,
);
for (const one of failed) console.log(one);
process.exitCode = failed.length === 0 ? 0 : 1;
