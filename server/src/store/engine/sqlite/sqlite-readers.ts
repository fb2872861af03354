import { dirname } from 'node:path';
import { startThread, type Thread } from './thread.ts';
import type { ReaderData } from './sqlite-reader-thread.ts';
import type { Statement, StatementResult } from './statement.ts';

/** Readers that always run, and those that run while the others have long statements. */
const readers = { least: 2, most: 8 } as const;
/** Most statements of a reader take less than a millisecond; beside one of this length others do not wait. */
const longMs = 100;

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

type Reader = Thread<Statement | 'close', StatementResult>;

interface Waiting {
  readonly statement: Statement;
  resolve(result: Promise<StatementResult>): void;
}

/** Gives each statement to a reader that is free; another one is started where all of them have long statements. */
const createPool = (start: () => Reader) => {
  const idle: Reader[] = [];
  /** Each with the moment of its statement, on the monotonic clock. */
  const busy = new Map<Reader, number>();
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  const count = () => idle.length + busy.size;
  const serve = (reader: Reader, { statement, resolve }: Waiting): void => {
    busy.set(reader, performance.now());
    const result = reader.call(statement);
    resolve(result);
    // Its failure is for the caller.
    void result.catch(() => undefined).then(() => free(reader));
  };
  const free = (reader: Reader): void => {
    const waiting = queue.shift();
    if (waiting !== undefined) return serve(reader, waiting);
    busy.delete(reader);
    if (count() >= readers.least && idle.length > 0) void reader.close();
    else idle.push(reader);
  };
  /** Once all statements that run are long. */
  const addReader = (): void => {
    timer = undefined;
    if (queue.length === 0 || count() === readers.most) return;
    const youngest = Math.max(...busy.values());
    const left = youngest + longMs - performance.now();
    if (left <= 0) free(start());
    if (queue.length > 0) timer = setTimeout(addReader, left <= 0 ? longMs : left);
  };

  for (let index = 0; index < readers.least; index += 1) idle.push(start());
  return {
    run: (statement: Statement): Promise<StatementResult> =>
      new Promise((resolve) => {
        const reader = idle.pop();
        if (reader !== undefined) return serve(reader, { statement, resolve });
        queue.push({ statement, resolve });
        timer ??= setTimeout(addReader, longMs);
      }),
    /** What waits is still run. */
    close: async () => {
      clearTimeout(timer);
      const [first] = busy.keys();
      for (const { statement, resolve } of queue.splice(0)) if (first !== undefined) resolve(first.call(statement));
      await Promise.all([...idle, ...busy.keys()].map((reader) => reader.close()));
    },
  };
};

export const startSqliteReaders = ({ path, onFatal }: ReaderOptions): SqliteReaders => {
  const file = new URL('./sqlite-reader-thread.ts', import.meta.url);
  // Not in the system's directory of temporary files, which is memory in containers.
  process.env['SQLITE_TMPDIR'] ??= dirname(path);
  const start = (access: ReaderData['access']): Reader =>
    startThread({ file, data: { path, access } satisfies ReaderData, onLost: onFatal });
  const pool = createPool(() => start('read'));
  /** Of the transactions that have begun. */
  const sessions = new Set<Reader>();
  return {
    run: pool.run,
    begin: async () => {
      const thread = start('scan');
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
      await Promise.all([pool.close(), ...Array.from(sessions, (thread) => thread.close())]);
    },
  };
};
