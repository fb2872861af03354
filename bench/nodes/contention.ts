/**
 * Simulates how long postings wait on a PostgreSQL that many nodes share, where a part of all calls pays from one
 * account: whose row each batch locks from its statement to its commit, both at the database. It moves no data; the times
 * it is given are those measured elsewhere (`bench/results/workers.json` for the processor) and the flush of a disk.
 *
 *   node bench/nodes/contention.ts [--write]
 *
 * Three ways of paying: `rows`, as the gateway does, with calls spread over all nodes; `sticky`, the same where a balancer
 * sends the calls of that account to four nodes; and `slices`, where a node holds a part of a large balance and goes back
 * to its row for every thousandth posting.
 */
import { batchMax } from '../../server/src/store/engine/commit-batcher.ts';
import { keepResult } from '../circumstances.ts';

const nodes = 100;
/** Of a day with 10⁹ calls: the mean, and a peak of three times as many. */
const callsPerSecond = { mean: 11_574, peak: 34_722 } as const;
/** A hold and a settlement. */
const postingsPerCall = 2;
/** Milliseconds: the way to the database and back, the flush of a commit, and the work on one posting. */
const [roundTripMs, flushMs, postingMs] = [0.5, 1, 0.01];
const slicePostings = 1000;
const stickyNodes = 4;
const simulatedMs = 4000;
const warmUpMs = 1000;

interface Posting {
  readonly at: number;
  readonly hot: boolean;
}

/** A sequence that is the same in every run (Numerical Recipes' linear congruence). */
const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Events by time. */
class Agenda {
  private readonly heap: { readonly at: number; readonly run: () => void }[] = [];

  add(at: number, run: () => void): void {
    const { heap } = this;
    let index = heap.push({ at, run }) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const [parent, child] = [heap[above], heap[index]];
      if (parent === undefined || child === undefined || parent.at <= child.at) break;
      [heap[above], heap[index]] = [child, parent];
      index = above;
    }
  }

  next(): { readonly at: number; readonly run: () => void } | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ;) {
      const below = [2 * index + 1, 2 * index + 2].filter((child) => child < heap.length);
      const least = below.toSorted((one, other) => (heap[one]?.at ?? 0) - (heap[other]?.at ?? 0))[0];
      const [parent, child] = [heap[index], heap[least ?? 0]];
      if (least === undefined || parent === undefined || child === undefined || parent.at <= child.at) break;
      [heap[index], heap[least]] = [child, parent];
      index = least;
    }
    return first;
  }
}

interface World {
  readonly way: 'rows' | 'sticky' | 'slices';
  /** Of all nodes. */
  readonly calls: number;
  /** Share of the calls that pay from one account. */
  readonly hotShare: number;
}

/** The row of one account: taken by one batch at a time, in the order in which they come. */
class RowLock {
  private taken = false;
  private readonly queue: (() => void)[] = [];

  acquire(run: () => void): void {
    if (this.taken) this.queue.push(run);
    else {
      this.taken = true;
      run();
    }
  }

  release(): void {
    const next = this.queue.shift();
    if (next === undefined) this.taken = false;
    else next();
  }
}

interface Shared extends World {
  readonly random: () => number;
  readonly agenda: Agenda;
  readonly lock: RowLock;
  readonly clock: { now: number };
  readonly done: (posting: Posting) => void;
}

/** Calls a second of a node: of all others, and of the one account. */
const callsOf = ({ way, calls, hotShare }: World, index: number): readonly [cold: number, hot: number] => {
  const cold = (calls * (1 - hotShare)) / nodes;
  if (way !== 'sticky') return [cold, (calls * hotShare) / nodes];
  return [cold, index < stickyNodes ? (calls * hotShare) / stickyNodes : 0];
};

/** Postings arrive at random; all that wait are one batch, and one batch is on its way at a time. */
const startNode = (shared: Shared, index: number): void => {
  const { way, random, agenda, lock, clock, done } = shared;
  const [cold, hot] = callsOf(shared, index);
  const waiting: Posting[] = [];
  let busy = false;
  let sinceSlice = 0;
  const finish = (batch: readonly Posting[]) => (): void => {
    for (const posting of batch) done(posting);
    busy = false;
    start();
  };
  const start = (): void => {
    if (busy || waiting.length === 0) return;
    busy = true;
    const batch = waiting.splice(0, batchMax);
    const paid = batch.filter((posting) => posting.hot).length;
    sinceSlice += paid;
    const locks = paid > 0 && (way !== 'slices' || sinceSlice >= slicePostings);
    if (locks) sinceSlice = 0;
    const commit = (): void =>
      agenda.add(clock.now + batch.length * postingMs + flushMs, () => {
        // The database has the locks, and no answer is waited for with them.
        if (locks) lock.release();
        agenda.add(clock.now + roundTripMs / 2, finish(batch));
      });
    agenda.add(clock.now + roundTripMs / 2, () => (locks ? lock.acquire(commit) : commit()));
  };
  const rate = ((cold + hot) * postingsPerCall) / 1000;
  const arrive = (): void => {
    waiting.push({ at: clock.now, hot: random() < hot / (cold + hot) });
    start();
    agenda.add(clock.now - Math.log(1 - random()) / rate, arrive);
  };
  agenda.add(random() / rate, arrive);
};

const quantile = (values: readonly number[], share: number): number =>
  Number((values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0).toFixed(1));

const simulate = (world: World) => {
  const agenda = new Agenda();
  const clock = { now: 0 };
  const waits: number[] = [];
  const hotWaits: number[] = [];
  const done = ({ at, hot }: Posting): void => {
    if (at < warmUpMs) return;
    waits.push(clock.now - at);
    if (hot) hotWaits.push(clock.now - at);
  };
  const shared: Shared = { ...world, random: createRandom(7), agenda, lock: new RowLock(), clock, done };
  for (let index = 0; index < nodes; index += 1) startNode(shared, index);
  for (let event = agenda.next(); event !== undefined && event.at < simulatedMs; event = agenda.next()) {
    clock.now = event.at;
    event.run();
  }
  const came = ((simulatedMs - warmUpMs) / 1000) * world.calls * postingsPerCall;
  return {
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
    hotP99Ms: quantile(hotWaits, 0.99),
    /** Of the postings that came: clearly below 1 the queues grow for good. */
    done: Number(Math.min(1, waits.length / came).toFixed(2)),
  };
};

const rows = (['rows', 'sticky', 'slices'] as const).flatMap((way) =>
  (['mean', 'peak'] as const).flatMap((load) =>
    [0, 0.001, 0.01, 0.03, 0.1, 0.3].map((hotShare) => ({
      way,
      load,
      hotShare,
      ...simulate({ way, calls: callsPerSecond[load], hotShare }),
    })),
  ),
);
console.table(rows);
if (process.argv.includes('--write'))
  keepResult('contention', {
    what: 'simulated wait of postings of 100 nodes on one PostgreSQL, by the share of calls that pay from one account',
    nodes,
    callsPerSecond,
    postingsPerCall,
    roundTripMs,
    flushMs,
    postingMs,
    batchMax,
    slicePostings,
    stickyNodes,
    rows,
  });
