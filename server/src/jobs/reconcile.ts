import { periodsNamed } from '../store/ledger/period-names.ts';
import { reconciliationSchema, type Reconciliation } from '@weir/contract/ledger';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../store/database.ts';
import type { NodeIdentity } from '../store/ledger/accounts-state.ts';
import { endAbandonedHolds, type StuckHold } from '../store/ledger/recover-holds.ts';
import { verifyLedger, type Finding } from '../store/ledger/verify.ts';
import type { Changes } from '../store/nodes/changes.ts';
import { findAbsentProcesses } from '../store/nodes/absent-processes.ts';
import { keepTaskResult, ownTask, readTaskResult } from '../store/nodes/own-task.ts';

/** Compares the ledger with the balances at intervals. */
export interface Reconciler {
  latest(): Reconciliation;
  close(): void;
}

interface ReconcilerDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'publish'>;
  readonly clock: { now(): number };
  readonly metrics: Registry;
  readonly log: { error(facts: object, message: string): void };
  /** Requests of this process whose end the database did not take; those that are ended are removed. */
  readonly leftHolds: Set<string>;
  /** Milliseconds that a process may be without a connection; absent: as long as its settlements wait. */
  readonly absentMs?: number;
  readonly onError: (error: unknown) => void;
}

const everyMs = 60_000;
/** Comparisons that a node may miss before another one compares. */
const missedMax = 3;
const task = 'reconcile';
/**
 * After a run, the job pauses for this many times its duration, so that a large ledger takes a bounded share of time.
 */
const restFactor = 19;
/**
 * A process without a connection to the database for longer than this has given up every settlement (`posting-queue.ts`),
 * so its holds are ended. Longer than a database that fails over is away.
 */
const absentMaxMs = 150_000;

const never: Reconciliation = {
  checked_at: 0,
  took_ms: 0,
  entries: 0,
  open_holds: 0,
  ended_holds: 0,
  unrecovered: 0,
  findings: [],
};

const createFigures = (metrics: Registry) => {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [metrics] });
  const figures = {
    findings: gauge(
      'weir_ledger_findings',
      'Mismatches between ledger and balances in the last comparison. Expected: 0.',
    ),
    checkedAt: gauge('weir_ledger_checked_timestamp_seconds', 'Time of the last comparison of ledger and balances.'),
    entries: gauge('weir_ledger_entries', 'Ledger entries.'),
    openHolds: gauge('weir_open_holds', 'Holds of running requests, on all nodes.'),
    failed: gauge('weir_ledger_comparison_failed', '1: the last comparison of ledger and balances did not complete.'),
    unrecovered: gauge('weir_unrecovered_quota', 'Uncollected quota, all time.'),
  };
  const show = (latest: Reconciliation): void => {
    figures.checkedAt.set(latest.checked_at);
    figures.entries.set(latest.entries);
    figures.openHolds.set(latest.open_holds);
    figures.unrecovered.set(latest.unrecovered);
    figures.findings.set(latest.findings.length);
  };
  return { failed: figures.failed, show };
};

/** The processes that have had no connection for `ms`, by how long they are seen without one. */
const createAbsence = (db: Database, ms: number) => {
  /** By node and epoch, on the monotonic clock. */
  let since = new Map<string, number>();
  return async () => {
    const now = performance.now();
    const seen = new Map<string, number>();
    const absent = await findAbsentProcesses(db);
    const nameOf = ({ node, epoch }: (typeof absent)[number]) => `${epoch} ${node}`;
    for (const process of absent) seen.set(nameOf(process), since.get(nameOf(process)) ?? now);
    since = seen;
    return absent.filter((process) => now - (seen.get(nameOf(process)) ?? now) >= ms);
  };
};

const stuckFinding = ({ request_id, user_id, amount }: StuckHold): Finding => ({
  rule: 'L4',
  subject: `user ${user_id}, whose hold of request ${request_id} cannot be ended`,
  expected: 0,
  found: amount,
});

/** Compares once, on request. */
export const createReconciler = (deps: Omit<ReconcilerDeps, 'onError'>) => {
  const { db, changes, clock, metrics, log, leftHolds, absentMs = absentMaxMs } = deps;
  const figures = createFigures(metrics);
  const findAbsent = createAbsence(db, absentMs);
  let latest = never;

  const compare = async (): Promise<void> => {
    const started = performance.now();
    // Whatever keeps the comparison from its end, the metric tells.
    figures.failed.set(1);
    const { findings, figures: looked } = await verifyLedger(db);
    latest = {
      checked_at: Math.floor(clock.now() / 1000),
      took_ms: Math.round(performance.now() - started),
      entries: looked.entries,
      open_holds: looked.holds,
      ended_holds: latest.ended_holds,
      unrecovered: looked.unrecovered,
      findings: [...findings],
    };
    figures.failed.set(0);
  };
  const report = (): void => {
    const { findings } = latest;
    figures.show(latest);
    if (findings.length > 0) log.error({ findings }, 'the ledger does not match the balances');
  };
  /** Those of this process that it could not end, and those of processes that ended. */
  const endHolds = async (processes: readonly NodeIdentity[]): Promise<void> => {
    const requests = [...leftHolds];
    const now = Math.floor(clock.now() / 1000);
    const { ended, stuck } = await endAbandonedHolds({ read: db.read, post: db.post, now, processes, requests });
    for (const request of requests) leftHolds.delete(request);
    // What was held is free: balances in memory do not know of it.
    for (const id of new Set(ended.map((hold) => hold.user_id))) changes.publish({ topic: 'user', id });
    for (const id of new Set(ended.map((hold) => hold.token_id))) changes.publish({ topic: 'token', id });
    const periods = ended.flatMap(({ budgets }) => periodsNamed(budgets).map(({ id }) => id));
    for (const id of new Set(periods)) changes.publish({ topic: 'period', id });
    latest = {
      ...latest,
      open_holds: latest.open_holds - ended.length,
      ended_holds: latest.ended_holds + ended.length,
      findings: [...latest.findings, ...stuck.map(stuckFinding)],
    };
  };
  const run = async (): Promise<void> => {
    await compare();
    await findAbsent().then(endHolds).finally(report);
    await keepTaskResult(db, task, latest);
  };
  const follow = async (): Promise<void> => {
    const { ended_holds } = latest;
    latest = { ...((await readTaskResult(db, task, reconciliationSchema)) ?? never), ended_holds };
    figures.failed.set(0);
    await endHolds([]).finally(() => figures.show(latest));
  };
  /** Of several nodes one compares; the others show its result. */
  const round = async (): Promise<void> => {
    const now = Math.floor(clock.now() / 1000);
    const lostBefore = now - (missedMax * pauseAfter(latest)) / 1000;
    const owns = await ownTask(db, { name: task, now, lostBefore: Math.floor(lostBefore) });
    return owns ? run() : follow();
  };
  return { latest: () => latest, run, round };
};

const pauseAfter = ({ took_ms }: Reconciliation): number => Math.max(everyMs, took_ms * restFactor);

/** Compares now and every minute, or less often where the ledger is large, until it is closed. One of several nodes does. */
export const startReconciler = (deps: ReconcilerDeps): Reconciler => {
  const { latest, round } = createReconciler(deps);
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const again = async (): Promise<void> => {
    // A stop takes the database away under a comparison.
    await round().catch((error: unknown) => closed || deps.onError(error));
    if (!closed) timer = setTimeout(() => void again(), pauseAfter(latest())).unref();
  };
  void again();
  return {
    latest,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};
