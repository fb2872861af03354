import { AppError } from '../../errors.ts';
import { isBroken, isBusy, isFull, SqliteError } from './database-error.ts';
import type { WriterAnswer, WriterMessage } from './sqlite-writer-thread.ts';
import type { Statement, StatementResult } from './statement.ts';
import { startThread, type Reply } from './thread.ts';

/** How long an interactive transaction may wait for its next statement while every other write waits for it. */
const idleLimitMs = 5000;

/** The writer, for one interactive transaction alone. */
export interface WriterSession {
  run(statement: Statement): Promise<StatementResult>;
  end(outcome: 'commit' | 'rollback'): Promise<void>;
}

export interface SqliteWriter {
  /** Joins the next group commit; resolves once durable. */
  run(statement: Statement): Promise<StatementResult>;
  /** Waits for the writer and begins a transaction. */
  begin(): Promise<WriterSession>;
  close(): Promise<void>;
}

interface Unit {
  readonly statement: Statement;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

interface WriterOptions {
  readonly path: string;
  /** Called once when nothing can be written any more: the process should end and start anew. */
  readonly onFatal: (error: Error) => void;
}

/** Errors of a whole transaction in the words of the application. */
const translate = (error: unknown): unknown => {
  if (!(error instanceof SqliteError)) return error;
  if (isFull(error)) return new AppError('storage_full', {}, error);
  if (isBusy(error)) return new AppError('unavailable', {}, error);
  return error;
};

/**
 * The one writer. Single writes that gather while a commit runs go into the next commit together; interactive
 * transactions get the writer between two of them, taking turns.
 */
export const startSqliteWriter = ({ path, onFatal }: WriterOptions): SqliteWriter => {
  let failure: Error | undefined;
  let busy = false;
  let lastWasSession = false;
  let planned = false;
  let units: Unit[] = [];
  const sessions: (() => void)[] = [];
  const idle: (() => void)[] = [];

  const fail = (error: Error) => {
    if (failure !== undefined) return;
    failure = error;
    for (const { reject } of units.splice(0)) reject(new AppError('unavailable', {}, error));
    for (const begin of sessions.splice(0)) begin();
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

  const commitUnits = async () => {
    const batch = units;
    units = [];
    try {
      const answer = await call({ kind: 'batch', statements: batch.map((unit) => unit.statement) });
      settle(batch, answer.units ?? []);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const settle = (batch: readonly Unit[], replies: readonly Reply<StatementResult>[]) => {
    for (const [index, { resolve, reject }] of batch.entries()) {
      const { value, error } = replies[index] ?? {};
      if (value !== undefined) resolve(value);
      else reject(error === undefined ? new AppError('unavailable') : new SqliteError(error));
    }
  };

  const next = () => {
    if (busy) return;
    const session = lastWasSession && units.length > 0 ? undefined : sessions.shift();
    lastWasSession = session !== undefined;
    if (session !== undefined) {
      busy = true;
      session();
    } else if (units.length > 0) {
      busy = true;
      void commitUnits().finally(free);
    } else {
      for (const resolve of idle.splice(0)) resolve();
    }
  };
  const free = () => {
    busy = false;
    next();
  };
  /** At the end of the loop's turn: everything that this turn brought shares a commit. */
  const plan = () => {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      next();
    });
  };

  return {
    run: (statement) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) {
          reject(new AppError('unavailable', {}, failure));
          return;
        }
        units.push({ statement, resolve, reject });
        if (!busy) plan();
      }),
    begin: async () => {
      await new Promise<void>((resolve) => {
        sessions.push(resolve);
        if (!busy) plan();
      });
      try {
        await call({ kind: 'begin' });
      } catch (error) {
        free();
        throw error;
      }
      return startSession(call, free);
    },
    close: async () => {
      if (failure === undefined && (busy || planned)) await new Promise<void>((resolve) => idle.push(resolve));
      await thread.close();
    },
  };
};

const startSession = (call: (message: WriterMessage) => Promise<WriterAnswer>, free: () => void): WriterSession => {
  let ended: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = async (outcome: 'commit' | 'rollback', why: string) => {
    ended = why;
    clearTimeout(timer);
    try {
      await call({ kind: outcome });
    } finally {
      free();
    }
  };
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void end('rollback', `it was rolled back after ${idleLimitMs} ms without a statement`).catch(() => undefined);
    }, idleLimitMs);
  };
  const assertOpen = () => {
    if (ended !== undefined) throw new Error(`The transaction is over: ${ended}`);
  };
  watch();
  return {
    run: async (statement) => {
      assertOpen();
      clearTimeout(timer);
      try {
        return (await call({ kind: 'run', statement })).result ?? { rows: [] };
      } finally {
        if (ended === undefined) watch();
      }
    },
    end: async (outcome) => {
      if (ended !== undefined && outcome === 'rollback') return;
      assertOpen();
      await end(outcome, 'it has ended');
    },
  };
};
