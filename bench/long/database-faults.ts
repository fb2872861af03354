/**
 * Makes the database of a server under load unavailable for 1 to 60 seconds, loses answers to COMMIT and causes conflicts
 * (the last two on PostgreSQL), on the database of TEST_DATABASE, and stores the result in `bench/results/`.
 *
 *   npm run verify:long -- database-faults
 */
import { runDatabaseFaults } from '../../server/test/faults/database-faults.ts';
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const onServer = testDatabaseKind === 'postgres';
const options = {
  outagesMs: [1000, 2000, 5000, 10_000, 30_000, 60_000],
  lostCommits: onServer ? 100 : 0,
  quarrels: onServer ? 10 : 0,
  streams: 20,
  plainPerSecond: 20,
};
const before = circumstances();
const report = await runDatabaseFaults(options);
const strange = Object.keys(report.statuses).filter((status) => !['0', '200', '503'].includes(status));
keepResult(`database-faults-${testDatabaseKind}`, {
  what: 'the database away under load, answers to COMMIT lost, rows locked in the opposite order; no client sees a 500 for it',
  database: testDatabaseKind,
  ...before,
  ...options,
  ...report,
});
console.log(`${testDatabaseKind}: ${JSON.stringify(report)}`);
process.exitCode = report.disagreements.length === 0 && strange.length === 0 ? 0 : 1;
