import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { AppError } from '../../errors.ts';
import type { Posting, PostingResult } from '../postings.ts';
import { batchMax, createGather } from './gather.ts';
import { createPostingQueue, type PostingUnit } from './posting-queue.ts';
import { askOutcome, createPostgresLink, type LinkOptions } from './postgres-reconnect.ts';
import { keepsConnection, transact, type Ended } from './postgres-transact.ts';

/** Two nodes that met in a deadlock try again at different times. */
const retryMaxMs = 20;

export interface PostgresWriter {
  /** Joins the next group commit; resolves once durable. */
  post(posting: Posting): Promise<PostingResult>;
  /** Ends what was asked so far, then the connection. */
  close(): Promise<void>;
}

type Known = Exclude<Ended, { kind: 'unknown' }>;

/** Runs batches until their outcome is known or nobody waits for it any more. */
const createRunner = (options: LinkOptions) => {
  const link = createPostgresLink(options);
  let progressedAt = 0;
  let away = false;

  const attempt = async (units: readonly PostingUnit[]): Promise<Known> => {
    const client = await link.get();
    if (link.ended()) return { kind: 'failed', error: new AppError('unavailable') };
    if (client === undefined) return { kind: 'again' };
    const postings = units.map((unit) => unit.posting);
    const ended = await transact(client, postings, options.identity);
    if (ended.kind === 'unknown' || (ended.kind === 'again' && !keepsConnection(ended.error))) link.drop();
    if (ended.kind !== 'unknown') return ended;
    const status = await askOutcome(link, ended.transaction, () => units.some((unit) => unit.waits));
    return status === 'committed' ? { kind: 'done', results: ended.results } : { kind: 'again' };
  };
  const run = async (batch: readonly PostingUnit[]): Promise<void> => {
    for (;;) {
      const units = batch.filter((unit) => unit.waits);
      if (units.length === 0) return;
      const ended = await attempt(units);
      away = ended.kind === 'again';
      if (!away) progressedAt = performance.now();
      if (ended.kind === 'done') {
        for (const [index, unit] of units.entries()) unit.resolve(ended.results[index]);
        return;
      }
      if (ended.kind === 'failed' && units.length === 1) {
        units[0]?.reject(ended.error);
        return;
      }
      if (ended.kind === 'failed') {
        // One of them is at fault: alone, the others pass.
        for (const unit of units) await run([unit]);
        return;
      }
      if (ended.error instanceof DatabaseError) await sleep(retryMaxMs * Math.random());
    }
  };
  const start = (batch: readonly PostingUnit[]) => {
    if (!away) progressedAt = performance.now();
    return run(batch);
  };
  return { start, progressedAt: () => progressedAt, close: link.close };
};

/** Commits postings in groups, one after the other, on a connection of its own and through losses of that connection. */
export const startPostgresWriter = (options: LinkOptions): PostgresWriter => {
  const runner = createRunner(options);
  const queue = createPostingQueue(runner.progressedAt);
  const idle: (() => void)[] = [];
  let busy = false;

  const send = () => {
    const batch = queue.take(batchMax);
    if (batch.length === 0 && queue.size() > 0) return plan();
    if (batch.length === 0) {
      for (const resolve of idle.splice(0)) resolve();
      return;
    }
    busy = true;
    void runner.start(batch).finally(() => {
      busy = false;
      plan();
    });
  };
  const plan = createGather({ count: queue.size, send });

  return {
    post: (posting) => {
      const result = queue.add(posting);
      if (!busy) plan();
      return result;
    },
    close: async () => {
      if (busy || queue.size() > 0) await new Promise<void>((resolve) => idle.push(resolve));
      queue.close();
      await runner.close();
    },
  };
};
