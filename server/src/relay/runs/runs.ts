import { runEndOf } from '@weir/contract/limits/run-rules';
import type { Database } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { addRunCalls, beginRun, findNamedRun, findRun, type RunRow, type RunTerms } from '../../store/runs/runs.ts';
import { createKeyedMutex } from '../../store/keyed-mutex.ts';
import { RelayError } from '../client/relay-error.ts';
import type { NamedRun } from './run-headers.ts';

/** The run of a call that was admitted to it. */
export interface RunOfCall {
  readonly id: number;
  readonly name: string;
  readonly step: string;
  readonly periodId: number;
  /** It has a budget: calls beyond it are refused. */
  readonly isHard: boolean;
}

interface RunsDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly clock: { now(): number };
  /** The limits that the operator sets for every run. */
  settings(): { readonly runs: RunTerms };
  onError(error: unknown): void;
}

interface Caller {
  readonly userId: number;
  readonly tokenId: number;
}

/** A run in memory. */
interface KnownRun {
  row: RunRow;
  /** Calls here that are not written yet. */
  unwritten: number;
  /** Of the latest of them, in unix seconds. */
  lastAt: number;
  /** It was ended here or on another node, or may have been. */
  isStale: boolean;
}

/** Runs in memory; beyond, those without unwritten calls are dropped, the oldest first. */
const knownMax = 20_000;
const writeMs = 1000;
/** Runs that a user may begin in a minute, on a node: each is a row that stays. */
const begunPerMinute = 600;

const strictest = (one: number, other: number): number =>
  one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other);

const strictestTerms = (one: RunTerms, other: RunTerms): RunTerms => ({
  amount: strictest(one.amount, other.amount),
  callsMax: strictest(one.callsMax, other.callsMax),
  seconds: strictest(one.seconds, other.seconds),
});

/** Counts what each user begins in the present minute. */
class BegunRuns {
  private readonly users = new Map<number, number>();
  private minute = 0;

  /** Throws the refusal of one too many. `at`: unix seconds. */
  count(userId: number, at: number): void {
    const minute = Math.floor(at / 60);
    if (minute !== this.minute) this.users.clear();
    this.minute = minute;
    const count = (this.users.get(userId) ?? 0) + 1;
    if (count > begunPerMinute) throw new RelayError('run_many', { max: begunPerMinute, wait: 60 - (at % 60) });
    this.users.set(userId, count);
  }
}

const dropIdle = (known: Map<string, KnownRun>): void => {
  for (const [key, { unwritten }] of known) {
    if (known.size < knownMax) return;
    if (unwritten === 0) known.delete(key);
  }
};

/**
 * Admits calls to runs. Calls are counted in memory and written every second, so that a maximum of calls is exact on one
 * node, and other nodes know of calls within that time. What a run spends is exact everywhere: it is a period of the ledger.
 */
export class Runs {
  private readonly known = new Map<string, KnownRun>();
  private readonly loading = new Map<string, Promise<KnownRun>>();
  private readonly begun = new BegunRuns();
  /** One write or renewal at a time: none replaces a row by an older one, or counts calls twice. */
  private readonly rows = createKeyedMutex();
  private readonly timer: NodeJS.Timeout;
  private readonly unsubscribe: () => void;
  private readonly deps: RunsDeps;

  constructor(deps: RunsDeps) {
    this.deps = deps;
    this.timer = setInterval(() => void this.write(), writeMs).unref();
    this.unsubscribe = deps.changes.subscribe('run', ({ id }) => {
      for (const run of this.known.values()) if (id === 0 || run.row.id === id) run.isStale = true;
    });
  }

  /** Counts the call in its run, which its first call begins. Rejects with the refusal of a run that has ended. */
  async enter(caller: Caller, named: NamedRun): Promise<RunOfCall> {
    const now = Math.floor(this.deps.clock.now() / 1000);
    const run = await this.find(caller, named, now);
    const { row } = run;
    const end = runEndOf({ ...row, calls: row.calls + run.unwritten }, now);
    if (end !== null) throw new RelayError(`run_ended_${end}`, { run: row.name, calls: row.calls_max });
    run.unwritten += 1;
    run.lastAt = now;
    return { id: row.id, name: row.name, step: named.step, periodId: row.period_id, isHard: row.amount > 0 };
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.unsubscribe();
    await this.write();
  }

  private async find(caller: Caller, named: NamedRun, now: number): Promise<KnownRun> {
    const key = `${caller.userId} ${named.name}`;
    const found = this.known.get(key);
    if (found !== undefined && !found.isStale) return found;
    const loading = this.loading.get(key);
    if (loading !== undefined) return loading;
    const read = found === undefined ? this.begin(key, caller, named, now) : this.renew(found);
    const loaded = read.finally(() => this.loading.delete(key));
    this.loading.set(key, loaded);
    return loaded;
  }

  private async begin(key: string, { userId, tokenId }: Caller, named: NamedRun, at: number): Promise<KnownRun> {
    const found = await findNamedRun(this.deps.db.read, userId, named.name);
    const row = found ?? (await this.beginNew({ userId, tokenId }, named, at));
    const run: KnownRun = { row, unwritten: 0, lastAt: at, isStale: false };
    if (this.known.size >= knownMax) dropIdle(this.known);
    this.known.set(key, run);
    return run;
  }

  private beginNew({ userId, tokenId }: Caller, { name, terms }: NamedRun, at: number): Promise<RunRow> {
    this.begun.count(userId, at);
    const allowed = strictestTerms(terms, this.deps.settings().runs);
    return beginRun(this.deps.db, { userId, tokenId, name, terms: allowed, at });
  }

  private renew(run: KnownRun): Promise<KnownRun> {
    return this.rows('', async () => {
      // A change during the read may be missing from it.
      run.isStale = false;
      try {
        run.row = (await findRun(this.deps.db.read, run.row.id)) ?? run.row;
      } catch (error) {
        run.isStale = true;
        throw error;
      }
      return run;
    });
  }

  private write(): Promise<void> {
    return this.rows('', () => this.writeNow()).catch((error: unknown) => this.deps.onError(error));
  }

  private async writeNow(): Promise<void> {
    const counted = [...this.known.values()]
      .filter(({ unwritten }) => unwritten > 0)
      .map((run) => ({ run, runId: run.row.id, count: run.unwritten, lastAt: run.lastAt }));
    if (counted.length === 0) return;
    const rows = new Map((await addRunCalls(this.deps.db, counted)).map((row) => [row.id, row]));
    for (const { run, runId, count } of counted) {
      run.unwritten -= count;
      const row = rows.get(runId);
      if (row !== undefined) run.row = row;
    }
  }
}
