import type { ReadFault } from './dialect.ts';

/** A fault within a body whose members were readable: thrown while it is taken apart, caught by `readingFaults`. */
export class UnreadableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableError';
  }
}

/** What `read` gives, or the fault that it met. */
export const readingFaults = <Result>(read: () => Result): Result | ReadFault => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { kind: 'fault', code: 'invalid_text_request', message: error.message };
  }
};
