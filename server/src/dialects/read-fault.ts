import type { ReadFault } from './dialect.ts';

/** A fault within a body whose members were readable: thrown while it is parsed, caught by `readingFaults`. */
export class UnreadableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableError';
  }
}

/** The result of `read`, or the fault that it threw. */
export const readingFaults = <Result>(read: () => Result): Result | ReadFault => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { kind: 'fault', code: 'invalid_text_request', message: error.message };
  }
};
