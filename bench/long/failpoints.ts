/**
 * Kills the server many times at every failpoint, on the database of TEST_DATABASE, and stores the result in
 * `bench/results/`.
 *
 *   npm run verify:long -- failpoints [times] [name]
 */
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { type FailpointReport, runFailpoint } from '../../server/test/faults/failpoint-runs.ts';
import { failpoints } from '../../server/test/faults/failpoints.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const times = Number(process.argv[2] ?? 20);
const only = process.argv[3];
const before = circumstances();
const started = performance.now();
const points: FailpointReport[] = [];
const keep = () =>
  keepResult(`failpoints-${testDatabaseKind}`, {
    what: 'the server is killed at every failpoint, under load, and started again',
    database: testDatabaseKind,
    ...before,
    times,
    seconds: Math.round((performance.now() - started) / 1000),
    kills: points.reduce((sum, { kills }) => sum + kills, 0),
    points,
  });
for (const point of failpoints) {
  if ((point.kind ?? testDatabaseKind) !== testDatabaseKind || (only ?? point.name) !== point.name) continue;
  const report = await runFailpoint(point, times);
  points.push(report);
  console.log(`${report.name}: ${report.kills} kills, ${report.disagreements.length} disagreements`);
  for (const disagreement of report.disagreements) console.log(disagreement);
  keep();
}
process.exitCode = points.every(({ disagreements }) => disagreements.length === 0) ? 0 : 1;
