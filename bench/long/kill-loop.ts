/**
 * Kills the server under load many times, on the database of TEST_DATABASE, and stores the result in
 * `bench/results/`. With no disagreement in N rounds the 95 % bound on their rate is about 3/N.
 *
 *   npm run verify:long -- kill-loop [rounds] [seconds at most]
 */
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { runKillLoop } from '../../server/test/faults/kill-loop.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const [rounds = 300, secondsMax = Infinity] = process.argv.slice(2).map(Number);

const before = circumstances();
const started = performance.now();
const report = await runKillLoop({ rounds, streams: 50, plainPerSecond: 100, aliveMs: [200, 1200], secondsMax });
keepResult(`kill-loop-${testDatabaseKind}`, {
  what: 'kill -9 under 50 streams and 100 requests a second',
  database: testDatabaseKind,
  ...before,
  seconds: Math.round((performance.now() - started) / 1000),
  ...report,
});
console.log(
  `${testDatabaseKind}: ${report.rounds} kills, ${report.requests} requests, ${report.complete} answered in full, ${report.billed} billed, ${report.disagreements.length} disagreements`,
);
for (const disagreement of report.disagreements) console.log(disagreement);
process.exitCode = report.disagreements.length === 0 ? 0 : 1;
