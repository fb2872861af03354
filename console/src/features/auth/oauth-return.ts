import { boundMessage } from '@weir/contract/identities';
import type { SignedInUser } from '@weir/contract/users';
import { CallError } from '../../lib/api/call-error.ts';

/** Milliseconds before a callback is tried again, times the attempt (specification §9). */
const retryMs = 2000;

/** What became of a sign-in elsewhere. */
export type ReturnOutcome =
  | { readonly kind: 'bound' }
  | { readonly kind: 'signedIn'; readonly user: SignedInUser }
  | { readonly kind: 'refused'; readonly error: unknown };

interface ReturnOptions {
  /** Hands code and state to the gateway. */
  readonly ask: () => Promise<{ readonly message: string; readonly data?: SignedInUser | undefined }>;
  readonly signal: AbortSignal;
  /** Told before each wait. */
  readonly onRetry: (attempt: number, waitMs: number) => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** The server answered, and its answer is no. Without an answer, or where it failed itself, asking again may help. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallError && error.kind !== 'unreachable' && (error.status ?? 200) < 500;

/**
 * Finishes a sign-in elsewhere. The gateway's refusal of the first attempt ends it; every other failure is followed by
 * another attempt, each after a longer wait, until the signal says otherwise (specification §4).
 */
export const finishReturn = async ({ ask, signal, onRetry, wait }: ReturnOptions): Promise<ReturnOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { message, data } = await ask();
      if (message === boundMessage) return { kind: 'bound' };
      if (data !== undefined) return { kind: 'signedIn', user: data };
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === 1 && isRefusal(error)) return { kind: 'refused', error };
    }
    onRetry(attempt, retryMs * attempt);
    await wait(retryMs * attempt);
    signal.throwIfAborted();
  }
};
