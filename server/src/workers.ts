import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { AggregatorRegistry } from 'prom-client';
import * as v from 'valibot';
import { StartError } from './errors.ts';
import type { Serving } from './serve.ts';
import { type FromWorker, fromWorkerSchema } from './worker-link.ts';

interface WorkersOptions {
  readonly count: number;
  /** Each worker's node name has its number behind it. */
  readonly nodeName: string;
  /** Each worker claims a directory of its name below it. */
  readonly dataDir: string;
  readonly log: { warn(facts: object, message: string): void };
}

/** A worker that ends by itself is started again after a second, later ones of a series after up to half a minute. */
const firstPauseMs = 1000;
const pauseMaxMs = 30_000;
/** A worker that has run so long begins a new series. */
const steadyMs = 60_000;
/** Figures of workers that answer later are left out. */
const figuresMs = 2000;

type Figures = Extract<FromWorker, { kind: 'figures' }>['figures'];

const valuesSchema = v.array(v.looseObject({ labels: v.record(v.string(), v.unknown()) }));

/** Every value with the name of its worker, so that none is added to that of another one. */
const labelled = (figures: Figures, worker: string): object[] =>
  figures.map((figure) => ({
    ...figure,
    values: v.parse(valuesSchema, figure['values']).map((value) => ({ ...value, labels: { ...value.labels, worker } })),
  }));

/** Collects the figures of all workers. */
const createCollection = (nameOf: (worker: Worker) => string) => {
  const collecting = new Map<number, (worker: Worker, figures: Figures) => void>();
  let rounds = 0;
  const collect = (): Promise<object[][]> =>
    new Promise((resolve) => {
      rounds += 1;
      const id = rounds;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true);
      const answers: object[][] = [];
      const end = (): void => {
        clearTimeout(timer);
        collecting.delete(id);
        resolve(answers);
      };
      const timer = setTimeout(end, figuresMs);
      collecting.set(id, (worker, figures) => {
        answers.push(labelled(figures, nameOf(worker)));
        if (answers.length === workers.length) end();
      });
      for (const worker of workers) worker?.send({ kind: 'collect', id });
    });
  return {
    take: (worker: Worker, { id, figures }: { readonly id: number; readonly figures: Figures }) =>
      collecting.get(id)?.(worker, figures),
    answer: async (worker: Worker, id: number): Promise<void> => {
      const text = await AggregatorRegistry.aggregate(await collect()).metrics();
      if (worker.isConnected()) worker.send({ kind: 'text', id, text });
    },
  };
};

/**
 * Runs relay processes on one port, each a node of its own on the same PostgreSQL. The first one prepares the database
 * alone; a worker that ends by itself is started again.
 */
export const startWorkers = async ({ count, nodeName, dataDir, log }: WorkersOptions): Promise<Serving> => {
  const names = new Map<number, string>();
  const collection = createCollection((worker) => names.get(worker.id) ?? '');
  let stopping = false;
  const env: Record<string, string> = {};
  const fork = (index: number): Worker => {
    const name = `${nodeName}-${index}`;
    const worker = cluster.fork({ ...env, NODE_NAME: name, DATA_DIR: join(dataDir, name) });
    names.set(worker.id, name);
    worker.on('message', (given: unknown) => {
      const message = v.parse(fromWorkerSchema, given);
      if (message.kind === 'figures') collection.take(worker, message);
      if (message.kind === 'metrics')
        collection.answer(worker, message.id).catch((error: unknown) => log.warn({ err: error }, 'no metrics'));
    });
    return worker;
  };
  const readiness = (worker: Worker) =>
    new Promise<Extract<FromWorker, { kind: 'ready' }>>((resolve, reject) => {
      const hear = (given: unknown): void => {
        const message = v.parse(fromWorkerSchema, given);
        if (message.kind !== 'ready') return;
        worker.off('message', hear);
        resolve(message);
      };
      worker.on('message', hear);
      worker.on('exit', () => reject(new StartError('a relay process ended at its start; its reason is above')));
    });
  /** Starts it again whenever it ends. */
  const keep = (worker: Worker, index: number, pauseMs = firstPauseMs): void => {
    const since = performance.now();
    worker.on('exit', (code, signal) => {
      names.delete(worker.id);
      if (stopping) return;
      const next = performance.now() - since > steadyMs ? firstPauseMs : pauseMs;
      log.warn({ worker: `${nodeName}-${index}`, code, signal }, 'a relay process ended; it is started again');
      setTimeout(() => {
        if (!stopping) keep(fork(index), index, Math.min(pauseMaxMs, next * 2));
      }, next);
    });
  };
  const first = fork(1);
  const { port, firstPassword } = await readiness(first);
  // The system chooses a port 0 once.
  env['PORT'] = String(port);
  const others = Array.from({ length: count - 1 }, (_, index) => fork(index + 2));
  for (const [index, worker] of [first, ...others].entries()) keep(worker, index + 1);
  await Promise.all(others.map(readiness));
  return {
    port,
    firstPassword,
    stop: async (drainMs) => {
      stopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      const ended = workers.map((worker) => new Promise((resolve) => void worker.on('exit', resolve)));
      // Each of them drains by itself.
      for (const worker of workers) worker.process.kill(drainMs > 0 ? 'SIGTERM' : 'SIGINT');
      await Promise.all(ended);
    },
  };
};
