import { expect, test } from 'vitest';
import { testDatabaseKind } from '../database/database.ts';
import { runKillLoop } from './kill-loop.ts';

/** SQLite is what most installations run on; `npm run verify:long` kills more often, on both. */
const rounds = testDatabaseKind === 'sqlite' ? 6 : 4;

test(`RELAY-07 C10 kill -9 under 50 streams and 100 requests a second, ${rounds} times: ledger, clients and upstream agree`, async () => {
  const report = await runKillLoop({ rounds, streams: 50, plainPerSecond: 100, aliveMs: [200, 1200] });
  expect(report.disagreements).toEqual([]);
  expect(report.keepsRefused).toBe(true);
  expect(report.complete).toBeGreaterThanOrEqual(rounds / 2);
  expect(report.billed).toBeGreaterThanOrEqual(report.complete);
}, 300_000);
