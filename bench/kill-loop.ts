/**
 * Kills the server under load so many times, on the database named by TEST_DATABASE, and keeps what came of it in
 * `bench/results/`. With no disagreement in N rounds the 95 % bound on their rate is about 3/N.
 *
 *   npm run verify:long [rounds]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { testDatabaseKind } from '../server/test/database.ts';
import { runKillLoop } from '../server/test/kill-loop.ts';

const rounds = Number(process.argv[2] ?? 300);
const results = join(import.meta.dirname, 'results');

const report = await runKillLoop({ rounds, streams: 50, plainPerSecond: 100, aliveMs: [200, 1200] });
const circumstances = {
  what: 'kill -9 under 50 streams and 100 requests a second',
  database: testDatabaseKind,
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.version,
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
};
mkdirSync(results, { recursive: true });
writeFileSync(
  join(results, `kill-loop-${testDatabaseKind}.json`),
  `${JSON.stringify({ ...circumstances, ...report }, null, 2)}\n`,
);
console.log(
  `${testDatabaseKind}: ${report.rounds} kills, ${report.requests} requests, ${report.complete} answered in full, ${report.billed} billed, ${report.disagreements.length} disagreements`,
);
for (const disagreement of report.disagreements) console.log(disagreement);
process.exitCode = report.disagreements.length === 0 ? 0 : 1;
