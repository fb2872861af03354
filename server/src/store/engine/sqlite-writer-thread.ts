import { parentPort, workerData } from 'node:worker_threads';
import { isBroken, toPlainError } from './database-error.ts';
import { openSqliteConnection } from './sqlite-connection.ts';
import type { Statement, StatementResult } from './statement.ts';
import type { Reply } from './thread.ts';

/** What the writer thread is asked. */
export type WriterMessage =
  | { readonly kind: 'batch'; readonly statements: readonly Statement[] }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | { readonly kind: 'run'; readonly statement: Statement };

/** `units` answers a batch, `result` a single statement. */
export interface WriterAnswer {
  readonly units?: readonly Reply<StatementResult>[];
  readonly result?: StatementResult;
}

const connection = openSqliteConnection(String(workerData), 'write');
const execute = (sql: string) => connection.prepare(sql).run();

const rollBack = () => {
  if (connection.database.isTransaction) execute('rollback');
};

/** One unit of a batch: what it did is undone when it fails, and the other units stay. */
const runUnit = (statement: Statement): Reply<StatementResult> => {
  execute('savepoint unit');
  try {
    const value = connection.run(statement);
    execute('release unit');
    return { value };
  } catch (error) {
    const plain = toPlainError(error);
    if (isBroken(plain) || !connection.database.isTransaction) throw error;
    execute('rollback to unit');
    execute('release unit');
    return { error: plain };
  }
};

const runBatch = (statements: readonly Statement[]): readonly Reply<StatementResult>[] => {
  execute('begin immediate');
  try {
    const replies = statements.map(runUnit);
    execute('commit');
    return replies;
  } catch (error) {
    rollBack();
    throw error;
  }
};

const answer = (message: WriterMessage): WriterAnswer => {
  switch (message.kind) {
    case 'batch':
      return { units: runBatch(message.statements) };
    case 'run':
      return { result: connection.run(message.statement) };
    case 'begin':
      execute('begin immediate');
      return {};
    case 'commit':
      try {
        execute('commit');
      } catch (error) {
        rollBack();
        throw error;
      }
      return {};
    case 'rollback':
      rollBack();
      return {};
  }
};

parentPort?.on('message', (message: WriterMessage | 'close') => {
  if (message === 'close') {
    rollBack();
    connection.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage({ value: answer(message) });
  } catch (error) {
    parentPort?.postMessage({ error: toPlainError(error) });
  }
});
