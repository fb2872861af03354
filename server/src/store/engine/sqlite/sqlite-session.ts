import type { Posting, PostingResult } from '../../ledger/postings.ts';
import { decodeResults, encodePostings } from '../../ledger/posting-codec.ts';
import type { WriterAnswer, WriterMessage } from './sqlite-writer-thread.ts';
import type { Statement, StatementResult } from './statement.ts';

/** How long an interactive transaction may leave the writer without work while every other write waits for it. */
const idleLimitMs = 5000;

/** The writer, for one interactive transaction alone. */
export interface WriterSession {
  run(statement: Statement): Promise<StatementResult>;
  post(postings: readonly Posting[]): Promise<readonly PostingResult[]>;
  end(outcome: 'commit' | 'rollback'): Promise<void>;
}

interface SessionOptions {
  readonly call: (message: WriterMessage) => Promise<WriterAnswer>;
  /** Gives the writer back. */
  readonly free: () => void;
}

/** After its transaction has begun. A transaction that is left idle is rolled back, as PostgreSQL does on request. */
export const startSession = ({ call, free }: SessionOptions): WriterSession => {
  let over: string | undefined;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  const finish = async (outcome: 'commit' | 'rollback', why: string) => {
    over = why;
    clearTimeout(timer);
    try {
      await call({ kind: outcome });
    } finally {
      free();
    }
  };
  const expire = () => {
    const why = `it was rolled back after ${idleLimitMs} ms without a statement`;
    void finish('rollback', why).catch(() => undefined);
  };
  const watch = () => {
    clearTimeout(timer);
    if (over === undefined && running === 0) timer = setTimeout(expire, idleLimitMs);
  };
  const ask = async (message: WriterMessage): Promise<WriterAnswer> => {
    if (over !== undefined) throw new Error(`The transaction is over: ${over}`);
    running += 1;
    clearTimeout(timer);
    try {
      return await call(message);
    } finally {
      running -= 1;
      watch();
    }
  };
  watch();

  return {
    run: async (statement) => (await ask({ kind: 'run', statement })).result ?? { columns: [], rows: [] },
    post: async (postings) => {
      const answer = await ask({ kind: 'post', postings: encodePostings(postings) });
      return decodeResults(answer.postings?.results ?? []);
    },
    end: async (outcome) => {
      if (over === undefined) return finish(outcome, 'it has ended');
      if (outcome === 'commit') throw new Error(`The transaction is over: ${over}`);
    },
  };
};
