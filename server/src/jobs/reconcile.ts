import type { Reconciliation } from '@weir/contract/ledger';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../store/database.ts';
import { endLeftHolds } from '../store/ledger/recover-holds.ts';
import { verifyLedger } from '../store/ledger/verify.ts';

/** Compares the books, again and again. */
export interface Reconciler {
  latest(): Reconciliation;
  /** One comparison now. */
  run(): Promise<void>;
  close(): void;
}

interface ReconcilerDeps {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly metrics: Registry;
  readonly log: { error(facts: object, message: string): void };
  readonly onError: (error: unknown) => void;
}

const everyMs = 60_000;
/**
 * After a run, the job pauses for this many times its duration, so that a large ledger takes a bounded share of time.
 */
const restFactor = 19;
/**
 * Seconds. No call runs for half as long (`relay/limits.ts`), so whatever holds longer was left: by a node that never
 * came back, or by a settlement that was given up while the database was away.
 */
const leftAfter = 3600;

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
  return {
    findings: gauge(
      'weir_ledger_findings',
      'Mismatches between ledger and balances in the last comparison. Expected: 0.',
    ),
    checkedAt: gauge('weir_ledger_checked_timestamp_seconds', 'Time of the last comparison of ledger and balances.'),
    entries: gauge('weir_ledger_entries', 'Ledger entries.'),
    openHolds: gauge('weir_open_holds', 'Holds of running requests, on all nodes.'),
    unrecovered: gauge('weir_unrecovered_quota', 'Uncollected quota, all time.'),
  };
};

/** Compares once, on request. */
export const createReconciler = ({ db, clock, metrics, log }: Omit<ReconcilerDeps, 'onError'>) => {
  const figures = createFigures(metrics);
  let latest = never;

  const run = async (): Promise<void> => {
    const now = Math.floor(clock.now() / 1000);
    const started = performance.now();
    const ended = await endLeftHolds({ read: db.read, post: db.post, now, openedBefore: now - leftAfter });
    const { findings, figures: looked } = await verifyLedger(db);
    latest = {
      checked_at: Math.floor(clock.now() / 1000),
      took_ms: Math.round(performance.now() - started),
      entries: looked.entries,
      open_holds: looked.holds,
      ended_holds: latest.ended_holds + ended.settled + ended.released,
      unrecovered: looked.unrecovered,
      findings: [...findings],
    };
    figures.findings.set(findings.length);
    figures.checkedAt.set(latest.checked_at);
    figures.entries.set(looked.entries);
    figures.openHolds.set(looked.holds);
    figures.unrecovered.set(looked.unrecovered);
    if (findings.length > 0) log.error({ findings }, 'the ledger does not match the balances');
  };
  return { latest: () => latest, run };
};

/** Compares now and every minute, or less often where the ledger is large, until it is closed. */
export const startReconciler = (deps: ReconcilerDeps): Reconciler => {
  const { latest, run } = createReconciler(deps);
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const again = async (): Promise<void> => {
    // A stop takes the database away under a comparison.
    await run().catch((error: unknown) => closed || deps.onError(error));
    if (!closed) timer = setTimeout(() => void again(), Math.max(everyMs, latest().took_ms * restFactor)).unref();
  };
  void again();
  return {
    latest,
    run,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};
