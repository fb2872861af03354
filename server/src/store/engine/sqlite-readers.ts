import { startThread } from './thread.ts';
import type { Statement, StatementResult } from './statement.ts';

const readerCount = 2;

/** Threads that only read. Each statement sees the newest commit. */
export interface SqliteReaders {
  run(statement: Statement): Promise<StatementResult>;
  close(): Promise<void>;
}

interface ReaderOptions {
  readonly path: string;
  readonly onFatal: (error: Error) => void;
}

export const startSqliteReaders = ({ path, onFatal }: ReaderOptions): SqliteReaders => {
  const file = new URL('./sqlite-reader-thread.ts', import.meta.url);
  const threads = Array.from({ length: readerCount }, () =>
    startThread<Statement, StatementResult>({ file, data: path, onLost: onFatal }),
  );
  const least = () => threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
  return {
    run: (statement) => least().call(statement),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
};
