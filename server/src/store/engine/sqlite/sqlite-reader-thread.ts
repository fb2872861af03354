import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { toPlainError } from '../database-error.ts';
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts';
import type { Statement } from './statement.ts';

const dataSchema = v.object({ path: v.string(), access: v.picklist(['read', 'scan']) });
/** What a reader is started with. */
export type ReaderData = v.InferInput<typeof dataSchema>;

const { path, access } = v.parse(dataSchema, workerData);
let opened: SqliteConnection | undefined;
/** Opened with the first read: at the first start of all the writer has yet to make the file. */
const connection = () => (opened ??= openSqliteConnection(path, access));

parentPort?.on('message', (statement: Statement | 'close') => {
  if (statement === 'close') {
    opened?.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage({ value: connection().run(statement) });
  } catch (error) {
    parentPort?.postMessage({ error: toPlainError(error) });
  }
});
