/**
 * 50 users try to redeem each of many codes at the same time, on the database of TEST_DATABASE (two processes on PostgreSQL,
 * one of them killed every 50th time). The result is stored in `bench/results/`.
 *
 *   npm run verify:long -- redeem-races [rounds]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { runRedeemRaces } from '../../server/test/faults/redeem-races.ts';

const rounds = Number(process.argv[2] ?? 1000);
const results = join(import.meta.dirname, '..', 'results');

const report = await runRedeemRaces({ rounds, users: 50, nodes: 2, killEvery: 50, roundMsMin: 65 });
const circumstances = {
  what: '50 users try each code at once; every 50th time a server is killed meanwhile and they try again',
  database: testDatabaseKind,
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.version,
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
};
mkdirSync(results, { recursive: true });
writeFileSync(
  join(results, `redeem-races-${testDatabaseKind}.json`),
  `${JSON.stringify({ ...circumstances, ...report }, null, 2)}\n`,
);
console.log(
  `${testDatabaseKind}: ${report.rounds} codes, ${report.attempts} attempts, ${report.kills} kills, ${report.unanswered} unanswered, ${report.disagreements.length} disagreements`,
);
for (const disagreement of report.disagreements) console.log(disagreement);
process.exitCode = report.disagreements.length === 0 ? 0 : 1;
