import type { Posting, PostingResult } from '../ledger/postings.ts';
import type { EventLoopTimers } from '../ledger/event-loop-timers.ts';
import { batchMax, createCommitBatcher } from './commit-batcher.ts';
import { createPostingQueue, type PostingUnit } from './posting-queue.ts';

/** The outcome of an attempt to commit a batch, once it is known. */
export type BatchOutcome =
  | { readonly kind: 'done'; readonly results: readonly PostingResult[] }
  /** Nothing of the batch stayed; it may be tried again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'failed'; readonly error: Error };

export interface PostingWriter {
  /** Joins the next group commit; resolves once durable. */
  post(posting: Posting): Promise<PostingResult>;
  /** Finishes the work queued so far, then closes the connection. */
  close(): Promise<void>;
}

interface PostingWriterOptions {
  /** Tries to commit the batch once. */
  readonly attempt: (units: readonly PostingUnit[]) => Promise<BatchOutcome>;
  readonly close: () => Promise<void>;
  readonly timers: EventLoopTimers;
}

/** Runs batches until their outcome is known or no caller waits for it any more. */
const createRunner = ({ attempt, timers }: PostingWriterOptions) => {
  let progressedAt = 0;
  let away = false;

  const run = async (batch: readonly PostingUnit[]): Promise<void> => {
    for (;;) {
      const units = batch.filter((unit) => unit.waits);
      if (units.length === 0) return;
      const ended = await attempt(units);
      away = ended.kind === 'again';
      if (!away) progressedAt = timers.now();
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
    }
  };
  const start = (batch: readonly PostingUnit[]) => {
    if (!away) progressedAt = timers.now();
    return run(batch);
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
  const plan = createCommitBatcher({ count: queue.size, send, timers });

  return {
    post: (posting) => {
      const result = queue.add(posting);
      if (!busy) plan();
      return result;
    },
    close: async () => {
      if (busy || queue.size() > 0) await new Promise<void>((resolve) => idle.push(resolve));
      queue.close();
      await options.close();
    },
  };
};
