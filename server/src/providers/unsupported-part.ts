import { refusal } from './failure.ts';
import type { Refusal } from './provider.ts';

/** What a conversation holds and a vendor's form of it cannot. */
export class UnsupportedPartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsupportedPartError';
  }
}

/** What `write` makes of a conversation; a refusal where it throws `UnsupportedPartError`. */
export const unlessUnsupported = <Result>(write: () => Result): Result | Refusal => {
  try {
    return write();
  } catch (error) {
    if (error instanceof UnsupportedPartError) return refusal(error.message);
    throw error;
  }
};
