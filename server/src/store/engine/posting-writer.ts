import type { Posting, PostingResult } from '../ledger/postings.ts';
import type { EventLoopTimers } from '../ledger/event-loop-timers.ts';
import { batchMax, busyBatchSize, busyMaxDelayMs, createCommitBatcher } from './commit-batcher.ts';
import { createPostingQueue, type PostingUnit } from './posting-queue.ts';

/** The outcome of an attempt to commit a batch, once it is known. */
export type BatchOutcome =
  /** Undefined: nothing was done of this posting, because a row of its is locked elsewhere. */
  | { readonly kind: 'done'; readonly results: readonly (PostingResult | undefined)[] }
  /** A row stayed locked elsewhere. Nothing of the batch stayed. */
  | { readonly kind: 'locked' }
  /** Nothing of the batch stayed; it may be tried again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'failed'; readonly error: Error };

export interface PostingWriter {
  /** Joins the next group commit; resolves once durable. */
  post(posting: Posting): Promise<PostingResult>;
  /** Postings that wait for the next commit. */
  waiting(): number;
  /** Finishes the work queued so far, then closes the connection. */
  close(): Promise<void>;
}

interface PostingWriterOptions {
  /**
   * Tries to commit the batch once. It waits so many milliseconds for rows that are locked elsewhere; with 0 it leaves out
   * the postings that need such a row.
   */
  readonly attempt: (units: readonly PostingUnit[], lockWaitMs: number) => Promise<BatchOutcome>;
  readonly close: () => Promise<void>;
  readonly timers: EventLoopTimers;
}

/** Resolves those that were done; returns the others. */
const answer = (
  units: readonly PostingUnit[],
  results: readonly (PostingResult | undefined)[],
): readonly PostingUnit[] => {
  for (const [index, unit] of units.entries()) {
    const result = results[index];
    if (result !== undefined) unit.resolve(result);
  }
  return units.filter((_, index) => results[index] === undefined);
};

/** Runs batches until their outcome is known or no caller waits for it any more. */
const createRunner = ({ attempt, timers }: PostingWriterOptions) => {
  let progressedAt = 0;
  let away = false;

  /** Resolves to the postings that met a locked row. */
  const run = async (batch: readonly PostingUnit[], lockWaitMs: number): Promise<readonly PostingUnit[]> => {
    let waitMs = lockWaitMs;
    for (;;) {
      const units = batch.filter((unit) => unit.waits);
      if (units.length === 0) return [];
      const ended = await attempt(units, waitMs);
      away = ended.kind === 'again';
      if (!away) progressedAt = timers.now();
      if (ended.kind === 'done') return answer(units, ended.results);
      if (ended.kind === 'locked') waitMs = 0;
      if (ended.kind === 'failed' && units.length === 1) {
        units[0]?.reject(ended.error);
        return [];
      }
      if (ended.kind === 'failed') {
        // One of them is at fault: alone, the others pass.
        const locked: PostingUnit[] = [];
        for (const unit of units) locked.push(...(await run([unit], 0)));
        return locked;
      }
    }
  };
  const start = (batch: readonly PostingUnit[], lockWaitMs: number) => {
    if (!away) progressedAt = timers.now();
    return run(batch, lockWaitMs);
  };
  return { start, progressedAt: () => progressedAt };
};

/** Commits postings in groups, one after the other, as often as an attempt leaves nothing behind. */
export const createPostingWriter = (options: PostingWriterOptions): PostingWriter => {
  const { timers } = options;
  const runner = createRunner(options);
  const queue = createPostingQueue(timers, runner.progressedAt);
  const idle: (() => void)[] = [];
  let busy = false;

  let stopWaiting: (() => void) | undefined;

  const rest = () => {
    const dueIn = queue.apartDueIn();
    if (queue.size() > 0) plan();
    else if (dueIn !== undefined) stopWaiting = timers.after(dueIn, plan);
    else for (const resolve of idle.splice(0)) resolve();
  };
  const send = () => {
    stopWaiting?.();
    const { units, lockWaitMs } = queue.take(batchMax);
    if (units.length === 0) return rest();
    busy = true;
    const startedAt = timers.now();
    const free = () => {
      busy = false;
      plan();
    };
    /**
     * A commit costs PostgreSQL as much as dozens of postings, and more where nodes wait for each other's rows: unless as many as
     * in the last one wait already, a pause makes the next one larger, and lets the others pass.
     */
    const pause = () => {
      if (queue.size() >= units.length) free();
      else timers.after(Math.min(busyMaxDelayMs, timers.now() - startedAt), free);
    };
    void runner
      .start(units, lockWaitMs)
      .then(queue.setApart)
      .finally(() => (units.length < busyBatchSize ? free() : timers.soon(pause)));
  };
  const plan = createCommitBatcher({ count: queue.size, send, timers });

  return {
    post: (posting) => {
      const result = queue.add(posting);
      if (!busy) plan();
      return result;
    },
    waiting: queue.size,
    close: async () => {
      if (busy || queue.size() > 0 || queue.apartDueIn() !== undefined)
        await new Promise<void>((resolve) => idle.push(resolve));
      queue.close();
      await options.close();
    },
  };
};
