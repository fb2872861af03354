import { AppError } from '../../../errors.ts';
import { endsRequest, type Posting } from '../../ledger/postings.ts';
import type { EventLoopTimers } from '../../ledger/event-loop-timers.ts';
import { isBusy, isFull, SqliteError } from '../database-error.ts';
import { batchMax } from '../commit-batcher.ts';
import { createPostingQueue, type PostingUnit } from '../posting-queue.ts';
import { decodeResults, encodePostings } from '../../ledger/posting-codec.ts';
import { translate } from './sqlite-writer-link.ts';
import type { WriterAnswer, WriterMessage } from './sqlite-writer-thread.ts';
import type { Statement, StatementResult } from './statement.ts';

interface StatementUnit {
  readonly request: Statement;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The failure of SQLite behind a public one. */
const causeOf = (error: unknown): SqliteError | undefined =>
  error instanceof AppError && error.cause instanceof SqliteError ? error.cause : undefined;

/** Another process has the file: whatever may still wait does. A full disk: only what ends a request waits for space. */
const isTriedAgain = (posting: Posting, cause: SqliteError | undefined): boolean =>
  cause !== undefined && (isBusy(cause) || (isFull(cause) && endsRequest(posting)));

const answerStatements = (units: readonly StatementUnit[], { units: replies }: WriterAnswer) => {
  for (const [index, { resolve, reject }] of units.entries()) {
    const { value, error } = replies?.[index] ?? {};
    if (value !== undefined) resolve(value);
    else reject(error === undefined ? new AppError('unavailable') : translate(new SqliteError(error)));
  }
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const answerPostings = (units: readonly PostingUnit[], { postings }: WriterAnswer) => {
  const results = decodeResults(postings?.results ?? []);
  for (const { index, error } of postings?.errors ?? []) {
    units[index]?.reject(asError(translate(new SqliteError(error))));
  }
  for (const [index, unit] of units.entries()) {
    const result = results[index];
    if (result === undefined) unit.reject(new AppError('unavailable'));
    else unit.resolve(result);
  }
};

/** The units of one commit, durable together. */
export interface WriteBatch {
  readonly message: WriterMessage;
  answer(answer: WriterAnswer): void;
  /** Whether part of it waits to be tried again. */
  fail(error: unknown): boolean;
}

/** Writes that wait for a commit. */
export const createWriteQueue = (timers: EventLoopTimers) => {
  let statements: StatementUnit[] = [];
  /** On the monotonic clock: when the file could last be written, or was not tried. */
  let writableAt = 0;
  let failing = false;
  const queue = createPostingQueue(timers, () => writableAt);
  return {
    size: () => statements.length + queue.size(),
    addStatement: (request: Statement) =>
      new Promise<StatementResult>((resolve, reject) => {
        statements.push({ request, resolve, reject });
      }),
    addPosting: queue.add,
    take: (): WriteBatch => {
      const taken = { statements, postings: queue.take(batchMax).units };
      statements = [];
      if (!failing) writableAt = timers.now();
      return {
        message: {
          kind: 'batch',
          statements: taken.statements.map((unit) => unit.request),
          postings: encodePostings(taken.postings.map((unit) => unit.posting)),
        },
        answer: (answer) => {
          failing = false;
          answerStatements(taken.statements, answer);
          answerPostings(taken.postings, answer);
        },
        fail: (error) => {
          failing = true;
          const cause = causeOf(error);
          const again = taken.postings.filter(({ posting, waits }) => waits && isTriedAgain(posting, cause));
          const kept = new Set(again);
          for (const unit of taken.statements) unit.reject(error);
          for (const unit of taken.postings) if (!kept.has(unit)) unit.reject(asError(error));
          queue.putBack(again);
          return again.length > 0;
        },
      };
    },
    close: queue.close,
  };
};
