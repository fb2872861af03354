import { AppError } from '../../../errors.ts';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { EventLoopTimers } from '../../ledger/event-loop-timers.ts';
import { isBusy, isFull, SqliteError } from '../database-error.ts';
import { batchMax } from '../commit-batcher.ts';
import { decodeResults, encodePostings } from '../../ledger/posting-codec.ts';
import { translate } from './sqlite-writer-link.ts';
import type { WriterAnswer, WriterMessage } from './sqlite-writer-thread.ts';
import type { Statement, StatementResult } from './statement.ts';

interface Unit<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
type StatementUnit = Unit<Statement, StatementResult>;
interface PostingUnit extends Unit<Posting, PostingResult> {
  /** On the monotonic clock; set once it had to be tried again. */
  readonly giveUpAt?: number;
}

/** How long settlements and releases are retried while the disk is full or another process holds the file. */
const endingWaitMs = 120_000;

const endsRequest = ({ request }: PostingUnit): boolean => request.kind === 'settle' || request.kind === 'release';

const passes = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof SqliteError && (isFull(error.cause) || isBusy(error.cause));

const giveUpAt = (unit: PostingUnit, now: number): number => unit.giveUpAt ?? now + endingWaitMs;

const answerStatements = (units: readonly StatementUnit[], { units: replies }: WriterAnswer) => {
  for (const [index, { resolve, reject }] of units.entries()) {
    const { value, error } = replies?.[index] ?? {};
    if (value !== undefined) resolve(value);
    else reject(error === undefined ? new AppError('unavailable') : translate(new SqliteError(error)));
  }
};

const answerPostings = (units: readonly PostingUnit[], { postings }: WriterAnswer) => {
  const results = decodeResults(postings?.results ?? []);
  for (const { index, error } of postings?.errors ?? []) units[index]?.reject(translate(new SqliteError(error)));
  for (const [index, { resolve, reject }] of units.entries()) {
    const result = results[index];
    if (result === undefined) reject(new AppError('unavailable'));
    else resolve(result);
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
  let postings: PostingUnit[] = [];
  return {
    size: () => statements.length + postings.length,
    addStatement: (request: Statement) =>
      new Promise<StatementResult>((resolve, reject) => {
        statements.push({ request, resolve, reject });
      }),
    addPosting: (request: Posting) =>
      new Promise<PostingResult>((resolve, reject) => {
        postings.push({ request, resolve, reject });
      }),
    take: (): WriteBatch => {
      const taken = { statements, postings: postings.slice(0, batchMax) };
      statements = [];
      postings = postings.slice(batchMax);
      return {
        message: {
          kind: 'batch',
          statements: taken.statements.map((unit) => unit.request),
          postings: encodePostings(taken.postings.map((unit) => unit.request)),
        },
        answer: (answer) => {
          answerStatements(taken.statements, answer);
          answerPostings(taken.postings, answer);
        },
        fail: (error) => {
          const now = timers.now();
          const kept = passes(error)
            ? taken.postings.filter((unit) => endsRequest(unit) && now < giveUpAt(unit, now))
            : [];
          const keeps = new Set<StatementUnit | PostingUnit>(kept);
          for (const unit of [...taken.statements, ...taken.postings]) {
            if (!keeps.has(unit)) unit.reject(error);
          }
          postings = [...kept.map((unit) => ({ ...unit, giveUpAt: giveUpAt(unit, now) })), ...postings];
          return kept.length > 0;
        },
      };
    },
  };
};
