import { simulateAccounts } from './simulated-accounts.ts';
import { periodsNamed } from '../../src/store/ledger/period-names.ts';
import { findFaults, judgeReserved } from './judge.ts';
import { type SimulatedProcess, startProcess, type StoreKind } from './process.ts';
import { createRandom } from './random.ts';
import { runRequest } from './request.ts';
import { planWorld, type WorldPlan } from './plan.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { createStore, type SimulatedStore } from './store.ts';
import { createTruth, type Truth } from './truth.ts';
import { createObservations, type RequestRecord, type Observations } from './observations.ts';

/** What became of one simulated world. */
export interface WorldReport {
  readonly seed: number;
  readonly kind: StoreKind;
  /** Empty where everything held. */
  readonly faults: readonly string[];
  /** Simulated milliseconds. */
  readonly tookMs: number;
  readonly requests: number;
  readonly crashes: number;
  /** A digest of everything durable, so that a replay can be held against it. */
  readonly trace: string;
}

interface World {
  readonly plan: WorldPlan;
  readonly scheduler: Scheduler;
  readonly store: SimulatedStore;
  readonly observations: Observations;
  readonly truth: Truth;
  readonly faults: string[];
  /** By node; undefined while it does not serve. */
  readonly processes: (SimulatedProcess | undefined)[];
  /** Kills what runs of a node, be it serving or still recovering; false: it is down already. */
  stopNode(node: number): boolean;
  startNode(node: number): void;
}

const complain = (world: Pick<World, 'faults'>, error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  // The core's own assertions and the rows that the database refuses; being away is no fault of its own.
  if (/^L\d/.test(text) || error instanceof TypeError || error instanceof RangeError) world.faults.push(text);
};

const openRequest = (world: World, index: number): void => {
  const { plan, scheduler, observations, truth } = world;
  const request = plan.requests[index];
  const process = world.processes[request?.node ?? 0];
  // A node that is down takes no requests, and charges nothing.
  if (request === undefined || process === undefined) return;
  const { payer, requestId, exaggeration } = request.plan;
  const record: RequestRecord = {
    requestId,
    userId: payer.userId,
    limitedTokenId: payer.tokenLimited ? payer.tokenId : 0,
    periods: periodsNamed(payer.budgets),
    owed: undefined,
    most: 0,
    aside: () => 0,
    unsure: () => 0,
    over: false,
    ending: 0,
    pending: 0,
    isAlive: process.isAlive,
    exaggerates: exaggeration > 1,
    mayFallShort: exaggeration > 1,
    mayOverdraw: exaggeration > 1,
  };
  observations.requests.set(requestId, record);
  const watched = truth.watch(record);
  const wait = (ms: number) =>
    new Promise<void>((resolve) => void scheduler.after(ms, () => (process.isAlive() ? resolve() : undefined)));
  const onError = (error: unknown) => complain(world, error);
  const onRefusal = (needed: number) => world.faults.push(...watched.judgeRefusal(needed));
  void runRequest(
    { kind: plan.kind, process, record, now: process.now, wait, onRefusal, onError },
    request.plan,
  ).finally(watched.end);
};

const manage = (world: World, index: number): void => {
  const { plan, processes, scheduler, truth } = world;
  const action = plan.actions[index];
  const process = processes[action?.node ?? 0];
  if (action === undefined || process === undefined) return;
  const tell = () => {
    const { posting } = action;
    for (const hearer of processes) {
      const hear = () => {
        truth.announce(posting);
        hearer?.hear({ topic: 'user', id: 'userId' in posting ? posting.userId : 0 });
        if (posting.kind === 'allocate') hearer?.hear({ topic: 'token', id: posting.tokenId });
      };
      // Other nodes hear of it a moment later.
      if (hearer === process) hear();
      else scheduler.after(action.newsMs, hear);
    }
  };
  process.manage(action.posting).then(tell, (error: unknown) => complain(world, error));
};

const crash = (world: World, node: number, downMs: number): void => {
  if (world.stopNode(node)) world.scheduler.after(downMs, () => world.startNode(node));
};

const createWorld = (seed: number, kind: StoreKind): World => {
  const random = createRandom(seed);
  const plan = planWorld(random, kind);
  const scheduler = createScheduler(random);
  const storedAccounts = simulateAccounts(plan.rows);
  storedAccounts.post(plan.opening);
  const observations = createObservations();
  const faults: string[] = [];
  const truth = createTruth(storedAccounts, observations);
  const store = createStore({
    storedAccounts,
    scheduler,
    random,
    faults: plan.faults,
    onCommit: truth.commit,
    markCommit: truth.mark,
    onBrokenPromise: observations.breakPromises,
  });
  const processes: (SimulatedProcess | undefined)[] = plan.nodes.map(() => undefined);
  const running: (SimulatedProcess | undefined)[] = plan.nodes.map(() => undefined);
  const epochs = plan.nodes.map(() => 0);
  const stopNode = (node: number): boolean => {
    const process = running[node];
    process?.kill();
    running[node] = undefined;
    processes[node] = undefined;
    return process !== undefined;
  };
  const startNode = (node: number): void => {
    const name = plan.nodes[node] ?? '';
    epochs[node] = (epochs[node] ?? 0) + 1;
    const identity = { node: name, epoch: epochs[node] ?? 0 };
    const onError = (error: unknown) => complain({ faults }, error);
    const clockMs = plan.clocks[node] ?? 0;
    const process = startProcess({ kind, identity, clockMs, store, scheduler, random, observations, onError });
    running[node] = process;
    const again = () => {
      if (process.isAlive() && stopNode(node)) scheduler.after(1000, () => startNode(node));
    };
    // It serves once the holds of its earlier runs are ended.
    const serve = () => {
      if (process.isAlive()) processes[node] = process;
    };
    process.recover().then(serve, again);
  };
  return { plan, scheduler, store, observations, truth, faults, processes, stopNode, startNode };
};

/** The connections for messages between nodes are lost too: once they are back, any row may have changed. */
const failOver = ({ store, scheduler, processes }: World, answered: number): void => {
  store.failOver(answered);
  scheduler.after(500, () => {
    for (const process of processes)
      for (const topic of ['user', 'token', 'period'] as const) process?.hear({ topic, id: 0 });
  });
};

/** Reads all balances into memory again: then only what is still reserved there can differ from the rows. */
const readAnew = ({ plan, processes }: World): void => {
  for (const process of processes) {
    for (const payer of plan.payers) process?.accounts.reload(payer).catch(() => undefined);
  }
};

/** Every second seed is a world on the other database. */
export const kindOf = (seed: number): StoreKind => (seed % 2 === 0 ? 'sqlite' : 'postgres');

/** Runs one world to its end: storm, then calm, then one more start of every node, then judgement. */
export const runWorld = async (seed: number, kind: StoreKind): Promise<WorldReport> => {
  const world = createWorld(seed, kind);
  const { plan, scheduler, store, faults, truth } = world;
  for (const node of plan.nodes.keys()) world.startNode(node);
  for (const [index, { at }] of plan.requests.entries()) scheduler.after(at, () => openRequest(world, index));
  for (const [index, { at }] of plan.actions.entries()) scheduler.after(at, () => manage(world, index));
  for (const { at, node, payer } of plan.looks) {
    scheduler.after(at, () => void world.processes[node]?.accounts.reload(payer).catch(() => undefined));
  }
  for (const { at, answered } of kind === 'postgres' ? plan.faults.failOvers : []) {
    scheduler.after(at, () => failOver(world, answered));
  }
  for (const { at, node, downMs } of plan.crashes) scheduler.after(at, () => crash(world, node, downMs));
  const run = () => scheduler.run(truth.observe);
  try {
    await run();
    store.calm();
    for (const process of world.processes) void process?.endLeft();
    await run();
    faults.push(...findFaults({ ...world, when: 'rest' }));
    readAnew(world);
    await run();
    faults.push(...judgeReserved(world));
    for (const node of plan.nodes.keys()) {
      world.stopNode(node);
      world.startNode(node);
    }
    await run();
    faults.push(...findFaults({ ...world, when: 'end' }), ...truth.faults());
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  const trace = JSON.stringify([
    store.storedAccounts.ledger,
    [...store.storedAccounts.users.values()],
    [...store.storedAccounts.tokens.values()],
    [...store.storedAccounts.periods.values()],
  ]);
  return {
    seed,
    kind,
    faults,
    tookMs: scheduler.now(),
    requests: plan.requests.length,
    crashes: plan.crashes.length,
    trace,
  };
};
