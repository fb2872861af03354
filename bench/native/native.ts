import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const buildDir = join(import.meta.dirname, '..', '..', '.cache', 'bench');

/** Compiles one of the C programs beside this file when its binary is older than its source. */
export const build = (name: 'mock-upstream' | 'loadgen' | 'l4relay'): string => {
  mkdirSync(buildDir, { recursive: true });
  const source = join(import.meta.dirname, `${name}.c`);
  const binary = join(buildDir, name);
  if (!existsSync(binary) || statSync(binary).mtimeMs < statSync(source).mtimeMs) {
    execFileSync('cc', ['-O2', '-Wall', '-pthread', '-o', binary, source], { stdio: 'inherit' });
  }
  return binary;
};

/** Compiles `slow-flush.c` for LD_PRELOAD. */
export const buildSlowFlush = (): string => {
  mkdirSync(buildDir, { recursive: true });
  const library = join(buildDir, 'slow-flush.so');
  const source = join(import.meta.dirname, 'slow-flush.c');
  execFileSync('cc', ['-O2', '-Wall', '-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'inherit' });
  return library;
};

/** The part of the load generator's line that the reports use; times in microseconds. */
export interface LoadResult {
  readonly rps: number;
  readonly ok: number;
  readonly non200: number;
  readonly errors: number;
  readonly events_per_s: number;
  readonly lat_us: { readonly p50: number; readonly p99: number };
  readonly ttfb_us: { readonly p50: number; readonly p99: number };
  readonly sut_cpu_us_per_req: number;
  readonly sut_cpu_us_per_event: number;
  readonly sut_cpu_util: number;
  readonly sut_hwm_kb: number;
}

/** Runs the load generator on the second core and reads its one line of JSON. */
export const load = (args: readonly string[]): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const child = spawn('taskset', ['-c', '1', build('loadgen'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let line = '';
    child.stdout.on('data', (chunk) => (line += String(chunk)));
    child.on('error', reject);
    child.on('close', () => {
      try {
        // The load generator's line is the boundary: `LoadResult` describes the output of this project's own program.
        // oxlint-disable-next-line typescript/no-unsafe-argument
        resolve(JSON.parse(line));
      } catch (error) {
        reject(new Error(`the load generator printed ${JSON.stringify(line)}`, { cause: error }));
      }
    });
  });
