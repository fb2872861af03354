import { parentPort, workerData } from 'node:worker_threads';
import { toPlainError } from './database-error.ts';
import { openSqliteConnection } from './sqlite-connection.ts';
import type { Statement } from './statement.ts';

/** Runs reads on a connection that cannot write, one after the other. */
const connection = openSqliteConnection(String(workerData), 'read');

parentPort?.on('message', (statement: Statement | 'close') => {
  if (statement === 'close') {
    connection.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage({ value: connection.run(statement) });
  } catch (error) {
    parentPort?.postMessage({ error: toPlainError(error) });
  }
});
