import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import * as v from 'valibot';

/** What a worker says to the primary. */
export const fromWorkerSchema = v.variant('kind', [
  v.object({ kind: v.literal('ready'), port: v.number(), firstPassword: v.optional(v.string()) }),
  /** Asks for the figures of all workers, as the text of `/metrics`. */
  v.object({ kind: v.literal('metrics'), id: v.number() }),
  /** The worker's own figures, as `getMetricsAsJSON` has them. */
  v.object({ kind: v.literal('figures'), id: v.number(), figures: v.array(v.looseObject({ name: v.string() })) }),
]);
export type FromWorker = v.InferOutput<typeof fromWorkerSchema>;

/** What the primary says to a worker: to send its figures, or the text that it asked for. */
export const toWorkerSchema = v.variant('kind', [
  v.object({ kind: v.literal('collect'), id: v.number() }),
  v.object({ kind: v.literal('text'), id: v.number(), text: v.string() }),
]);

/** How a worker reaches the primary. */
export interface WorkerLink {
  ready(serving: { readonly port: number; readonly firstPassword: string | undefined }): void;
  /** Answers the primary's questions by this registry; the returned function reads the figures of all workers. */
  showMetrics(registry: Registry): () => Promise<string>;
}

/** The primary answers within two. */
const answerMs = 5000;

/** Undefined: this process is no worker. */
export const openWorkerLink = (): WorkerLink | undefined => {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const send = (message: FromWorker): void => void worker.send(message);
  const asked = new Map<number, (text: string) => void>();
  let questions = 0;
  return {
    ready: ({ port, firstPassword }) =>
      send({ kind: 'ready', port, ...(firstPassword !== undefined && { firstPassword }) }),
    showMetrics: (registry) => {
      worker.on('message', (given: unknown) => {
        const message = v.parse(toWorkerSchema, given);
        if (message.kind === 'text') asked.get(message.id)?.(message.text);
        else
          void registry.getMetricsAsJSON().then((figures) => {
            send({ kind: 'figures', id: message.id, figures: figures.map((figure) => ({ ...figure })) });
          });
      });
      return () =>
        new Promise((resolve, reject) => {
          questions += 1;
          const id = questions;
          const timer = setTimeout(() => {
            asked.delete(id);
            reject(new Error('the primary process does not answer'));
          }, answerMs);
          asked.set(id, (text) => {
            clearTimeout(timer);
            asked.delete(id);
            resolve(text);
          });
          send({ kind: 'metrics', id });
        });
    },
  };
};
