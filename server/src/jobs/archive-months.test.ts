import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { addCaller, type Caller, holdFor, logFor, settleFor } from '../../test/database/accounts.ts';
import { createTestStorage, type TestStorage } from '../../test/database/database.ts';
import { archivePath } from '../backup/archive-month.ts';
import { checkArchives } from '../backup/check-archives.ts';
import type { Database } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { verifyLedger } from '../store/ledger/verify.ts';
import { readAccountMonth } from '../store/statements/account-months.ts';
import { closeMonths } from '../store/statements/close-months.ts';
import { startOfMonth } from '../store/statements/months.ts';
import { archiveMonths } from './archive-months.ts';
import { createLogClearing } from './clear-logs.ts';
import { retainLogs } from './retain-logs.ts';

/** January 2026, months since 1970. */
const january = 56 * 12;
const inMonth = (month: number): number => startOfMonth(month) + 3600;
/** May has begun: January to April are closed. */
const now = inMonth(january + 4);
const clock = { now: () => now * 1000 };
const log = { info: () => undefined };
const running = new AbortController();

let storage: TestStorage;
let db: Database;
let parent = '';
beforeEach(async () => {
  storage = await createTestStorage({ template: inject('migrated') });
  db = await openDatabase(storage);
  parent = mkdtempSync(join(tmpdir(), 'weir-test-'));
});
afterEach(async () => {
  await db.close();
  await storage.remove();
  rmSync(parent, { recursive: true, force: true });
});

const archive = (keptMonths: number, signal = running.signal) =>
  archiveMonths({ db, parent, keptMonths, clock, log }, signal);
const uses = async (): Promise<number> => {
  const row = db.read.selectFrom('ledger').select((on) => on.fn.countAll<number>().as('count'));
  return (await row.where('kind', '=', 'use').executeTakeFirstOrThrow()).count;
};
const findings = async () => (await verifyLedger(db)).findings;

/** `calls` charges of 1 to 9 quota in a month, each against the periods of budgets. */
const chargeIn = async (caller: Caller, month: number, calls: number, budgets = '') => {
  for (let from = 0; from < calls; from += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, calls - from) }, async (_, index) => {
        const requestId = `call-${month}-${from + index}`;
        const at = inMonth(month);
        await db.post({ ...holdFor(caller, requestId, 9), openedAt: at, budgets });
        const amount = 1 + (index % 9);
        const record = { ...logFor(caller, requestId, amount), created_at: at };
        await db.post({ ...settleFor(caller, requestId, amount), at, budgets, log: record });
      }),
    );
  }
};

const addPeriod = async (): Promise<number> => {
  const period = { budget_id: 1, starts_at: 1, ends_at: now, granted: 1e6, held: 0, used: 0 };
  const added = db.write.insertInto('budget_periods').values(period);
  return (await added.returning('id').executeTakeFirstOrThrow()).id;
};

/** Four closed months with charges of two accounts, one of them against a budget. */
const fill = async (calls: number) => {
  const caller = await addCaller(db, 1_000_000, undefined, inMonth(january));
  const other = await addCaller(db, 1_000_000, 500_000, inMonth(january));
  const period = await addPeriod();
  for (let month = january; month < january + 4; month += 1) {
    await chargeIn(caller, month, calls, month % 2 === 0 ? `${period}` : `~${period}`);
  }
  await db.post({ ...holdFor(other, 'other', 9), openedAt: now });
  await db.post({ ...settleFor(other, 'other', 7), at: now });
  await closeMonths(db, now);
  return { caller, other };
};

test('N14 closed months become checked archives, their uses leave the ledger, and balances, budgets and statements stay', async () => {
  const { caller } = await fill(40);
  const statement = (month: number) => readAccountMonth(db, { userId: caller.userId, month, now });
  const months = [january, january + 1, january + 3, january + 4];
  const before = await Promise.all(months.map(statement));
  expect(await uses()).toBe(161);
  await archive(1);
  expect(readdirSync(parent)).toEqual(['weir-archive-2026-01', 'weir-archive-2026-02', 'weir-archive-2026-03']);
  expect(statSync(archivePath(parent, january)).mode & 0o777).toBe(0o700);
  expect(await uses()).toBe(41);
  expect(await Promise.all(months.map(statement))).toEqual(before);
  const { findings: found, figures } = await verifyLedger(db);
  expect(found).toEqual([]);
  expect(figures).toMatchObject({ folded: 120, entries: 41 + 3, holds: 0 });
  const checks = await checkArchives(db, parent);
  expect(checks.faults).toEqual([]);
  expect(checks.checked).toHaveLength(3);
  expect(checks.checked[0]).toContain('83 rows match its manifest');
  // What is not archived is refused as before, and calls go on.
  await expect(db.write.deleteFrom('ledger').execute()).rejects.toThrow('append-only');
  await chargeIn(caller, january + 4, 3);
  expect(await findings()).toEqual([]);
  await archive(0);
  expect(await uses()).toBe(4);
  expect(await findings()).toEqual([]);
});

test('N14 the comparison finds folded sums that differ from the archives', async () => {
  await fill(3);
  await archive(1);
  await db.write.updateTable('ledger_folded_uses').set({ amount: 1 }).execute();
  expect(await findings()).toContainEqual({ rule: 'L3', subject: 'folded quota of archives', expected: 18, found: 1 });
});

test('N14 a month is folded piece by piece; cut short, ledger and balances agree, and the next run goes on', async () => {
  await fill(2500);
  const cut = new AbortController();
  // A month is folded once it is archived; the first piece goes before the signal is looked at.
  const deps = { db, parent, keptMonths: 3, clock, log: { info: () => cut.abort() } };
  await expect(archiveMonths(deps, cut.signal)).rejects.toThrow('aborted');
  const left = await uses();
  expect(left).toBeLessThan(10_001);
  expect(left).toBeGreaterThan(7501);
  expect(await findings()).toEqual([]);
  await archive(3);
  expect(await uses()).toBe(7501);
  expect(await findings()).toEqual([]);
});

test('N14 an archive that is damaged, lost or replaced is named, a call of the month that still runs keeps it in the ledger', async () => {
  const { caller } = await fill(5);
  await db.post({ ...holdFor(caller, 'open', 9), openedAt: inMonth(january + 1) });
  await archive(0);
  expect(readdirSync(parent)).toEqual(['weir-archive-2026-01']);
  await db.post({ ...settleFor(caller, 'open', 9), at: now });
  await archive(1);
  const [first, second, third] = [january, january + 1, january + 2].map((month) => archivePath(parent, month));
  rmSync(second ?? '', { recursive: true });
  cpSync(first ?? '', second ?? '', { recursive: true });
  cpSync(join(first ?? '', 'logs.jsonl.gz'), join(third ?? '', 'ledger.jsonl.gz'));
  const { checked, faults } = await checkArchives(db, parent);
  expect(checked).toHaveLength(1);
  expect(faults).toEqual([
    expect.stringContaining('archive of 2026-02'),
    expect.stringMatching(/archive of 2026-03: The file of ledger is damaged/),
  ]);
  rmSync(first ?? '', { recursive: true });
  expect((await checkArchives(db, parent)).faults[0]).toContain('archive of 2026-01');
});

test('N14 a folder in the place of an archive is compared like a new one, and stays where it is of another month', async () => {
  await fill(5);
  await archive(3);
  const [first, next] = [archivePath(parent, january), archivePath(parent, january + 1)];
  cpSync(first, next, { recursive: true });
  await expect(archive(2)).rejects.toThrow('of another month');
  expect(existsSync(next)).toBe(true);
  expect(await uses()).toBe(16);
  // Of the same month: what a process left that was killed before it noted its archive.
  rmSync(next, { recursive: true });
  await archive(2);
  const left = join(parent, 'left');
  renameSync(next, left);
  await expect(checkArchives(db, parent)).resolves.toMatchObject({ faults: [expect.stringContaining('2026-02')] });
  renameSync(left, next);
  expect((await checkArchives(db, parent)).faults).toEqual([]);
});

test('O9 N14 retention clears no log record that is in no archive yet', async () => {
  await fill(5);
  const logClearing = createLogClearing({ db, onError: () => undefined });
  const retain = async (): Promise<number> => {
    await retainLogs({ db, logClearing, clock, log, keptDays: () => 10, archives: true });
    const rows = db.read.selectFrom('logs').select((on) => on.fn.countAll<number>().as('count'));
    return (await rows.where('created_at', '>', 10_000).executeTakeFirstOrThrow()).count;
  };
  expect(await retain()).toBe(20);
  await archive(2);
  expect(await retain()).toBe(10);
  await logClearing.close();
});

test('N14 a process that is killed while it archives leaves a ledger that matches, and the next one finishes', async () => {
  await fill(3000);
  const { dataDir, databaseUrl } = storage;
  const script = join(import.meta.dirname, '..', '..', 'test', 'processes', 'archive-process.ts');
  // The file belongs to one process.
  await db.close();
  let [kills, isDone] = [0, false];
  for (let wait = 40; !isDone; wait += 60) {
    const child = spawn(process.execPath, [script, dataDir, databaseUrl ?? '', parent, String(now)], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const timer = setTimeout(() => child.kill('SIGKILL'), wait);
    await once(child, 'close');
    clearTimeout(timer);
    isDone = child.exitCode === 0;
    if (!isDone) kills += 1;
    db = await openDatabase(storage);
    expect(await findings()).toEqual([]);
    if (!isDone) await db.close();
  }
  expect((await checkArchives(db, parent)).faults).toEqual([]);
  expect(await uses()).toBe(1);
  expect(kills).toBeGreaterThan(1);
});
