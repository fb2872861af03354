import { Worker } from 'node:worker_threads';
import { SqliteError, type PlainError } from '../database-error.ts';

/** The answer of a thread to each message, in the order of the messages. */
export interface Reply<Value> {
  readonly value?: Value;
  readonly error?: PlainError;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** A worker thread that answers every message once, in order. */
export interface Thread<Message, Value> {
  call(message: Message): Promise<Value>;
  /** Lets the thread finish its work, then ends it. */
  close(): Promise<void>;
}

/** Memory for short-lived objects of a thread: one batch at a time, while the default is made for whole programs. */
const youngMb = 24;

interface ThreadOptions {
  readonly file: URL;
  readonly data: unknown;
  /** Called once if the thread ends by itself. */
  readonly onLost: (error: Error) => void;
}

export const startThread = <Message, Value>({ file, data, onLost }: ThreadOptions): Thread<Message, Value> => {
  const resourceLimits = { maxYoungGenerationSizeMb: youngMb };
  const worker = new Worker(file, { workerData: data, execArgv: [], resourceLimits });
  const waiting: Waiting<Value>[] = [];
  let lost: Error | undefined;
  let closing = false;

  const fail = (error: Error) => {
    if (lost !== undefined) return;
    lost = error;
    for (const { reject } of waiting.splice(0)) reject(error);
    if (!closing) onLost(error);
  };
  worker.on('message', ({ value, error }: Reply<Value>) => {
    const next = waiting.shift();
    if (value !== undefined) next?.resolve(value);
    else next?.reject(error === undefined ? new Error('The database thread did not respond') : new SqliteError(error));
  });
  worker.on('error', (error: Error) => fail(error));
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      fail(new Error('The database thread has ended'));
      resolve();
    });
  });

  return {
    call: (message) =>
      new Promise((resolve, reject) => {
        if (lost !== undefined || closing) {
          reject(lost ?? new Error('The database is closed'));
          return;
        }
        waiting.push({ resolve, reject });
        worker.postMessage(message);
      }),
    close: async () => {
      if (!closing && lost === undefined) worker.postMessage('close');
      closing = true;
      await ended;
    },
  };
};
