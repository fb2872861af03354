import type { Posting, PostingResult } from '../../ledger/postings.ts';
import { delay, systemTimers, type EventLoopTimers } from '../../ledger/event-loop-timers.ts';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import { createCommitBatcher } from '../commit-batcher.ts';
import { startSession, type WriterSession } from './sqlite-session.ts';
import { sqliteTexts } from './sqlite-statements.ts';
import { startWriterThread, type WriterLink, type WriterOptions } from './sqlite-writer-link.ts';
import type { Statement, StatementResult } from './statement.ts';
import { createWriteQueue } from './write-queue.ts';

/** Between two tries while the disk is full. */
const retryPauseMs = 100;

export interface SqliteWriter {
  /** Joins the next group commit; resolves once durable. */
  run(statement: Statement): Promise<StatementResult>;
  /** Joins the next group commit; resolves once durable. */
  post(posting: Posting): Promise<PostingResult>;
  /** Waits for the writer and begins a transaction. */
  begin(): Promise<WriterSession>;
  /** After the migrations: makes the thread ready for postings. */
  identify(identity: NodeIdentity): Promise<void>;
  /** Writes that wait for the next commit. */
  waiting(): number;
  /** Commits the work queued so far and ends the thread. */
  close(): Promise<void>;
}

/**
 * The one writer. Writes that arrive while a commit runs go into the next commit together. Interactive transactions get
 * the writer between two commits, alternately.
 */
export const createSqliteWriter = ({ call, close }: WriterLink, timers: EventLoopTimers): SqliteWriter => {
  const queue = createWriteQueue(timers);
  const sessions: (() => void)[] = [];
  const idle: (() => void)[] = [];
  let busy = false;
  let lastWasSession = false;

  const commit = async () => {
    const batch = queue.take();
    try {
      batch.answer(await call(batch.message));
    } catch (error) {
      if (batch.fail(error)) await delay(timers, retryPauseMs);
    }
    free();
  };
  const next = () => {
    const session = lastWasSession && queue.size() > 0 ? undefined : sessions.shift();
    lastWasSession = session !== undefined;
    busy = session !== undefined || queue.size() > 0;
    if (session !== undefined) session();
    else if (busy) void commit();
    else for (const resolve of idle.splice(0)) resolve();
  };
  const planCommit = createCommitBatcher({ count: queue.size, send: next, timers });
  const plan = () => {
    if (!busy) planCommit();
  };
  const free = () => {
    busy = false;
    plan();
  };
  /** Adds to the next commit. */
  const planned = <Result>(result: Promise<Result>): Promise<Result> => {
    plan();
    return result;
  };

  return {
    run: (statement) => planned(queue.addStatement(statement)),
    post: (posting) => planned(queue.addPosting(posting)),
    begin: async () => {
      await planned(new Promise<void>((resolve) => sessions.push(resolve)));
      try {
        await call({ kind: 'begin' });
      } catch (error) {
        free();
        throw error;
      }
      return startSession({ call, free });
    },
    identify: async (identity) => {
      await call({ kind: 'identify', identity, texts: sqliteTexts() });
    },
    waiting: () => queue.size() + sessions.length,
    close: async () => {
      if (busy || queue.size() + sessions.length > 0) await new Promise<void>((resolve) => idle.push(resolve));
      queue.close();
      await close();
    },
  };
};

/** Starts the writer's thread on the file. */
export const startSqliteWriter = (options: WriterOptions): SqliteWriter =>
  createSqliteWriter(startWriterThread(options), systemTimers);
