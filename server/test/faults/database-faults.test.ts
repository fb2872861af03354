import { expect, test } from 'vitest';
import { testDatabaseKind } from '../database/database.ts';
import { runDatabaseFaults } from './database-faults.ts';

/** A shorter version; `npm run verify:long` makes the database unavailable for up to a minute. */
const quarrels = testDatabaseKind === 'postgres' ? 2 : 0;

test('RELAY-07 F15 F16 F18 while the database fails, calls end with 503 at worst, and nothing is lost or charged twice', async () => {
  const options = { outagesMs: [200, 1500], lostCommits: 5, quarrels, streams: 20, plainPerSecond: 50 };
  const report = await runDatabaseFaults(options);
  expect(report.disagreements).toEqual([]);
  expect(Object.keys(report.statuses).filter((status) => !['0', '200', '503'].includes(status))).toEqual([]);
  expect(report.complete).toBeGreaterThan(5);
  expect(report.conflicts).toBeGreaterThanOrEqual(quarrels);
}, 300_000);
