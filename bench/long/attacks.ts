/**
 * The attacks that the gateway must withstand, as tests: those whose titles name an attack of the list (`S1` to `S26`), and the
 * files of what has always held. Each runs against a real listener with hostile upstreams and clients, on the database of
 * TEST_DATABASE. Each attack and each file has its own time limit: what is not done by then counts as failed. The result is
 * stored in `bench/results/`. `bench/memory.ts` is the flood on a process of its own.
 *
 *   npm run verify:long -- attacks [name]
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const attacks = Array.from({ length: 26 }, (_, index) => `S${index + 1}`);
/** Found and not preventable: a second answer that comes late, on a connection that serves the next call (HTTP/1.1). */
const inherent = ['S26'];
/** Attacks on what only the other database has, or on rooms without one, whose tests run on SQLite alone (`vitest.config.ts`). */
const elsewhere: Readonly<Record<typeof testDatabaseKind, readonly string[]>> = {
  sqlite: [],
  postgres: ['S6', 'S7', 'S23', 'S24'],
};
const withoutDatabase = /^server\/(?:src\/relay\/upstream|test\/relay\/wire)\//;
/** Two invariants of `findDisagreements` have these names too: tests of theirs are no attacks. */
const filesOf: Readonly<Record<string, RegExp>> = {
  S1: /hostile-answers/,
  S2: /remote-content|memory|fetched-content/,
};

/** What has always held: request smuggling, fuzzing, ownership, hostile bytes of upstreams, cut clients. */
const held = [
  'server/src/relay/client/hostile-answers.test.ts',
  'server/src/relay/upstream/address-guard.test.ts',
  'server/src/relay/upstream/response-parser.test.ts',
  'server/test/contract/fuzz.test.ts',
  'server/test/contract/ownership.test.ts',
  'server/test/relay/wire/bad-requests.test.ts',
  'server/test/relay/wire/body-fuzz.test.ts',
  'server/test/relay/client-cuts.test.ts',
  'server/test/relay/wire/connections.test.ts',
  'server/test/relay/wire/uploads.test.ts',
];

/** On a quiet machine the longest takes a third of this. */
const limitMs = 10 * 60_000;

const root = join(import.meta.dirname, '..', '..');
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const listAt = (value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Runs vitest; false: it was ended at the limit, with all of its processes. */
const runVitest = (args: readonly string[]): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'run', ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      env: { ...process.env, FUZZ_EVERY_VALUE: '1' },
    });
    let inTime = true;
    const timer = setTimeout(() => {
      inTime = false;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.once('error', reject);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(inTime);
    });
  });

interface Played {
  readonly seconds: number;
  readonly tests: number;
  readonly failed: readonly string[];
}

/** Runs a selection of the tests. */
const play = async (selection: readonly string[]): Promise<Played> => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-attacks-'));
  const report = join(dir, 'report.json');
  const projects = ['--project', 'unit', '--project', testDatabaseKind];
  const started = performance.now();
  try {
    const inTime = await runVitest([
      ...projects,
      ...selection,
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${report}`,
    ]);
    const seconds = Math.round((performance.now() - started) / 1000);
    if (!inTime) return { seconds, tests: 0, failed: [`not done after ${limitMs / 1000} seconds`] };
    const results = listAt(JSON.parse(readFileSync(report, 'utf8')), 'testResults').flatMap((file) =>
      listAt(file, 'assertionResults'),
    );
    const titles = (wanted: string) =>
      results.filter(({ status }) => status === wanted).map(({ fullName }) => String(fullName));
    const failed = titles('failed');
    return { seconds, tests: titles('passed').length + failed.length, failed };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

const testFiles = globSync('{server/src,server/test,console/src}/**/*.test.ts', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

/** Test files that name an attack: the others need not be loaded. */
const filesThatName = (attack: string): readonly string[] => {
  const name = new RegExp(String.raw`\b${attack}\b`);
  return testFiles
    .filter(({ path, text }) => name.test(text) && (filesOf[attack]?.test(path) ?? true))
    .map(({ path }) => path);
};

const chosen = process.argv[2];
const before = circumstances();
const started = performance.now();
const results: Record<string, Played | 'inherent' | 'on the other database'> = {};
for (const attack of attacks.filter((name) => chosen === undefined || name === chosen)) {
  if (inherent.includes(attack)) results[attack] = 'inherent';
  else if (elsewhere[testDatabaseKind].includes(attack)) results[attack] = 'on the other database';
  else results[attack] = await play(['-t', String.raw`\b${attack}\b`, ...filesThatName(attack)]);
}
for (const file of held.filter((name) => chosen === undefined || name.includes(chosen)))
  results[file] =
    testDatabaseKind === 'postgres' && withoutDatabase.test(file) ? 'on the other database' : await play([file]);

const played = Object.entries(results).flatMap(([name, result]) =>
  typeof result === 'string' ? [] : [{ name, ...result }],
);
const untested = played.filter(({ tests, failed }) => tests + failed.length === 0).map(({ name }) => name);
const failures = played.flatMap(({ name, failed }) => failed.map((title) => `${name}: ${title}`));
const seconds = Math.round((performance.now() - started) / 1000);
if (chosen === undefined)
  keepResult(`attacks-${testDatabaseKind}`, {
    what: 'the list of attacks, and what has always held',
    database: testDatabaseKind,
    ...before,
    seconds,
    secondsMax: limitMs / 1000,
    results,
    untested,
    failed: failures,
  });
const tests = played.reduce((sum, one) => sum + one.tests, 0);
console.log(
  `${testDatabaseKind}: ${tests} tests in ${seconds} s, ${failures.length} failed, untested: ${untested.join(', ') || 'none'}`,
);
for (const failure of failures) console.log(failure);
process.exitCode = failures.length + untested.length === 0 ? 0 : 1;
