import { AppError } from '../../errors.ts';
import type { Posting, PostingResult } from '../postings.ts';
import { isBroken, isBusy, isFull, SqliteError } from './database-error.ts';
import { batchMax, createGather } from './gather.ts';
import { decodeResults, encodePostings } from './posting-codec.ts';
import type { NodeIdentity } from './accounts-state.ts';
import { startSession, type WriterSession } from './sqlite-session.ts';
import type { WriterAnswer, WriterMessage } from './sqlite-writer-thread.ts';
import type { Statement, StatementResult } from './statement.ts';
import { startThread } from './thread.ts';

export interface SqliteWriter {
  /** Joins the next group commit; resolves once durable. */
  run(statement: Statement): Promise<StatementResult>;
  /** Joins the next group commit; resolves once durable. */
  post(posting: Posting): Promise<PostingResult>;
  /** Waits for the writer and begins a transaction. */
  begin(): Promise<WriterSession>;
  identify(identity: NodeIdentity): Promise<void>;
  /** Commits what was asked so far and ends the thread. */
  close(): Promise<void>;
}

interface Unit<Asked, Answered> {
  readonly asked: Asked;
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: unknown) => void;
}
type StatementUnit = Unit<Statement, StatementResult>;
type PostingUnit = Unit<Posting, PostingResult>;

interface WriterOptions {
  readonly path: string;
  /** Called once when nothing can be written any more: the process should end and start anew. */
  readonly onFatal: (error: Error) => void;
}

/** Failures of a whole transaction in the words of the application. */
const translate = (error: unknown): unknown => {
  if (!(error instanceof SqliteError)) return error;
  if (isFull(error)) return new AppError('storage_full', {}, error);
  if (isBusy(error)) return new AppError('unavailable', {}, error);
  return error;
};

/** The thread, until it failed for good: then every call says so. */
const startWriterThread = ({ path, onFatal }: WriterOptions) => {
  let failure: Error | undefined;
  const fail = (error: Error) => {
    if (failure !== undefined) return;
    failure = error;
    onFatal(error);
  };
  const file = new URL('./sqlite-writer-thread.ts', import.meta.url);
  const thread = startThread<WriterMessage | 'close', WriterAnswer>({ file, data: path, onLost: fail });
  const call = async (message: WriterMessage): Promise<WriterAnswer> => {
    if (failure !== undefined) throw new AppError('unavailable', {}, failure);
    try {
      return await thread.call(message);
    } catch (error) {
      // A write that failed inside the file system says nothing about what is on the disk: never go on from it.
      if (error instanceof SqliteError && isBroken(error)) fail(error);
      throw translate(error);
    }
  };
  return { call, close: thread.close };
};

const answerStatements = (units: readonly StatementUnit[], { units: replies }: WriterAnswer) => {
  for (const [index, { resolve, reject }] of units.entries()) {
    const { value, error } = replies?.[index] ?? {};
    if (value !== undefined) resolve(value);
    else reject(error === undefined ? new AppError('unavailable') : new SqliteError(error));
  }
};

const answerPostings = (units: readonly PostingUnit[], { postings }: WriterAnswer) => {
  const results = decodeResults(postings?.results ?? []);
  for (const { index, error } of postings?.errors ?? []) units[index]?.reject(new SqliteError(error));
  for (const [index, { resolve, reject }] of units.entries()) {
    const result = results[index];
    if (result === undefined) reject(new AppError('unavailable'));
    else resolve(result);
  }
};

/**
 * The one writer. What gathers while a commit runs goes into the next commit together; interactive transactions get
 * the writer between two of them, taking turns.
 */
export const startSqliteWriter = (options: WriterOptions): SqliteWriter => {
  const { call, close } = startWriterThread(options);
  let statements: StatementUnit[] = [];
  let postings: PostingUnit[] = [];
  const sessions: (() => void)[] = [];
  const idle: (() => void)[] = [];
  let busy = false;
  let lastWasSession = false;

  const gathered = () => statements.length + postings.length;

  const commit = async () => {
    const batch = { statements, postings: postings.slice(0, batchMax) };
    statements = [];
    postings = postings.slice(batchMax);
    try {
      const answer = await call({
        kind: 'batch',
        statements: batch.statements.map((unit) => unit.asked),
        postings: encodePostings(batch.postings.map((unit) => unit.asked)),
      });
      answerStatements(batch.statements, answer);
      answerPostings(batch.postings, answer);
    } catch (error) {
      for (const { reject } of [...batch.statements, ...batch.postings]) reject(error);
    }
    free();
  };
  const next = () => {
    const session = lastWasSession && gathered() > 0 ? undefined : sessions.shift();
    lastWasSession = session !== undefined;
    busy = session !== undefined || gathered() > 0;
    if (session !== undefined) session();
    else if (busy) void commit();
    else for (const resolve of idle.splice(0)) resolve();
  };
  const gather = createGather({ count: gathered, send: next });
  const plan = () => {
    if (!busy) gather();
  };
  const free = () => {
    busy = false;
    plan();
  };

  return {
    run: (asked) =>
      new Promise((resolve, reject) => {
        statements.push({ asked, resolve, reject });
        plan();
      }),
    post: (asked) =>
      new Promise((resolve, reject) => {
        postings.push({ asked, resolve, reject });
        plan();
      }),
    begin: async () => {
      await new Promise<void>((resolve) => {
        sessions.push(resolve);
        plan();
      });
      try {
        await call({ kind: 'begin' });
      } catch (error) {
        free();
        throw error;
      }
      return startSession({ call, free });
    },
    identify: async (identity) => {
      await call({ kind: 'identify', identity });
    },
    close: async () => {
      if (busy || gathered() + sessions.length > 0) await new Promise<void>((resolve) => idle.push(resolve));
      await close();
    },
  };
};
