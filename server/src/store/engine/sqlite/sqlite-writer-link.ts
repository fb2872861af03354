import { AppError } from '../../../errors.ts';
import { isBroken, isBusy, isFull, SqliteError } from '../database-error.ts';
import type { WriterAnswer, WriterMessage } from './sqlite-writer-thread.ts';
import { startThread } from './thread.ts';

export interface WriterOptions {
  readonly path: string;
  /** Called once when nothing can be written any more: the process should end and start anew. */
  readonly onFatal: (error: Error) => void;
}

/** Failures that are not the statement's own, in the words of the application. */
export const translate = (error: unknown): unknown => {
  if (!(error instanceof SqliteError)) return error;
  if (isFull(error)) return new AppError('storage_full', {}, error);
  if (isBusy(error)) return new AppError('unavailable', {}, error);
  return error;
};

/** The way to the thread that writes. */
export interface WriterLink {
  call(message: WriterMessage): Promise<WriterAnswer>;
  close(): Promise<void>;
}

/** The thread, until it failed for good: then every call fails with that error. */
export const startWriterThread = ({ path, onFatal }: WriterOptions): WriterLink => {
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
      // After a write that failed inside the file system the state of the disk is unknown: never go on from it.
      if (error instanceof SqliteError && isBroken(error)) fail(error);
      throw translate(error);
    }
  };
  return { call, close: thread.close };
};
