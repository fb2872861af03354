import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from './targets.ts';

const root = join(import.meta.dirname, '..', '..');
/** A mutant may never end. */
const simulationMaxMs = 60_000;
const testsMaxMs = 240_000;
const seeds = '300';

/** What became of a command. */
type Outcome = 'passed' | 'failed' | 'endless';

/** The server's sources and tests in a directory of their own: worker threads read their files there too. */
export interface CopiedServer {
  read(file: string): string;
  write(file: string, source: string): void;
  simulate(): Promise<Outcome>;
  test(target: Target): Promise<Outcome>;
  remove(): void;
}

const copied = ['server', 'contract', 'scripts', 'vitest.config.ts', 'package.json', 'tsconfig.base.json'];

export const copyServer = (): CopiedServer => {
  const home = mkdtempSync(join(tmpdir(), 'weir-mutants-'));
  const filter = (path: string) => !path.includes('node_modules');
  for (const name of copied) cpSync(join(root, name), join(home, name), { recursive: true, filter });
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  const pathOf = (file: string) => join(home, 'server', 'src', file);

  const run = (args: readonly string[], maxMs: number, env: NodeJS.ProcessEnv): Promise<Outcome> =>
    new Promise((resolve) => {
      // A group of its own, so that the tests' own processes end with it.
      const child = spawn(process.execPath, args, { cwd: home, env, stdio: 'ignore', detached: true });
      let endless = false;
      const end = () => {
        endless = true;
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      };
      const timer = setTimeout(end, maxMs);
      child.on('exit', (code) => {
        clearTimeout(timer);
        resolve(endless ? 'endless' : code === 0 ? 'passed' : 'failed');
      });
    });
  return {
    read: (file) => readFileSync(pathOf(file), 'utf8'),
    write: (file, source) => writeFileSync(pathOf(file), source),
    simulate: () => run(['server/test/simulator/find-fault.ts', seeds], simulationMaxMs, process.env),
    test: async ({ tests, databases = ['sqlite'] }) => {
      // One file after the other: beside a test that waits for ever, one that failed would not end the run.
      for (const [database, name] of databases.flatMap((kind) => tests.map((test) => [kind, test] as const))) {
        const env = { ...process.env, TEST_DATABASE: database };
        const args = ['run', '--project', database, '--bail', '1', join('server', name)];
        const outcome = await run(['node_modules/vitest/vitest.mjs', ...args], testsMaxMs, env);
        if (outcome !== 'passed') return outcome;
      }
      return 'passed';
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
};
