import { startThread } from './thread.ts';
import type { Statement, StatementResult } from './statement.ts';

const readerCount = 2;

/** Threads that only read. Each statement sees the newest commit. */
export interface SqliteReaders {
  run(statement: Statement): Promise<StatementResult>;
  /** Begins a transaction that sees one point in time, in a thread of its own. */
  begin(): Promise<ReaderSession>;
  close(): Promise<void>;
}

export interface ReaderSession {
  run(statement: Statement): Promise<StatementResult>;
  end(): Promise<void>;
}

interface ReaderOptions {
  readonly path: string;
  readonly onFatal: (error: Error) => void;
}

export const startSqliteReaders = ({ path, onFatal }: ReaderOptions): SqliteReaders => {
  const file = new URL('./sqlite-reader-thread.ts', import.meta.url);
  const start = () => startThread<Statement | 'close', StatementResult>({ file, data: path, onLost: onFatal });
  const threads = Array.from({ length: readerCount }, start);
  /** Of the transactions that have begun. */
  const sessions = new Set<ReturnType<typeof start>>();
  const least = () => threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
  return {
    run: (statement) => least().call(statement),
    begin: async () => {
      const thread = start();
      sessions.add(thread);
      const end = async () => {
        sessions.delete(thread);
        await thread.close();
      };
      try {
        await thread.call({ sql: 'begin', parameters: [] });
      } catch (error) {
        await end();
        throw error;
      }
      return { run: thread.call, end };
    },
    close: async () => {
      // A session that is left open would keep the journal from being removed.
      await Promise.all([...threads, ...sessions].map((thread) => thread.close()));
    },
  };
};
