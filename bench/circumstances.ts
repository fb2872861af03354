import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/** Date, commit and machine of a measurement. */
export const circumstances = () => ({
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.version,
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
  loadAverage: Number((loadavg()[0] ?? 0).toFixed(1)),
});

/** The number that a command was given beside its options. */
export const numberArgument = (fallback: number): number =>
  Number(process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? fallback);

/** Stores a result in `bench/results/`. */
export const keepResult = (name: string, result: object): void => {
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
};
