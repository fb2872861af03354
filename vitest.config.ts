import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './scripts/reporting/slowest-first.mjs';
import { VitestReport } from './scripts/reporting/vitest-report.mjs';

/** A loaded machine is slow, not wrong. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000, interval: 10 } } };

const postgresUrl = process.env['TEST_POSTGRES_URL'];
/** Set by `npm test`. */
const reportPath = process.env['VITEST_REPORT'];
const wanted = process.env['TEST_DATABASE'];

/** Rooms without a database (docs/architecture.md), whose tests run a gateway all the same: once is enough for them. */
const pureRooms = [
  ...['providers', 'dialects', 'conversation', 'integrations', 'relay/upstream'].map((room) => `server/src/${room}/**`),
  ...['clients', 'provider-suite', 'relay/wire', 'simulator'].map((room) => `server/test/${room}/**`),
];

/** The server's suite on one kind of database (`server/test/database/database.ts`). */
const onDatabase = (kind: 'sqlite' | 'postgres', groupOrder: number) => ({
  test: {
    ...patience,
    name: kind,
    include: ['server/**/*.test.ts'],
    exclude: kind === 'sqlite' ? [] : pureRooms,
    globalSetup: 'server/test/database/migrated.ts',
    // Files of one worker share the loaded modules: loading them anew for each took half of the time. A part with state
    // of its own belongs to the gateway that a test opens, never to its module.
    isolate: false,
    env: { TEST_DATABASE: kind },
    sequence: { groupOrder },
  },
});

/**
 * `unit` needs nothing; the server's suite runs once on SQLite and, where TEST_POSTGRES_URL names a server,
 * once more on PostgreSQL. TEST_DATABASE picks one of the two. One suite runs after the other, so that each has its time.
 */
export default defineConfig({
  test: {
    // Tests wait for disks and time limits a third of their time: three at once on two cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', ...(reportPath === undefined ? [] : [new VitestReport(reportPath)])],
    projects: [
      { test: { ...patience, name: 'unit', include: ['{contract,console,scripts}/**/*.test.{ts,tsx}'] } },
      ...(wanted === 'postgres' ? [] : [onDatabase('sqlite', 1)]),
      ...(wanted === 'sqlite' || (wanted === undefined && !postgresUrl) ? [] : [onDatabase('postgres', 2)]),
    ],
  },
});
