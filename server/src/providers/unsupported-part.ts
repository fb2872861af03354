import { refusal } from './failure.ts';
import type { Refusal } from './provider.ts';

/** A part of a conversation that a vendor's format cannot express. */
export class UnsupportedPartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsupportedPartError';
  }
}

/** The result of `write`; a refusal if it throws `UnsupportedPartError`. */
export const unlessUnsupported = <Result>(write: () => Result): Result | Refusal => {
  try {
    return write();
  } catch (error) {
    if (error instanceof UnsupportedPartError) return refusal(error.message);
    throw error;
  }
};
