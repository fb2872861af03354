import { boundMessage } from '@weir/contract/identities';
import type { SignedInUser } from '@weir/contract/users';
import { CallError } from '../../lib/api/call-error.ts';

/** Milliseconds before a retry of the callback, times the attempt (specification §9). */
const retryMs = 2000;

/** Outcome of an external sign-in. */
export type ReturnOutcome =
  | { readonly kind: 'bound' }
  | { readonly kind: 'signedIn'; readonly user: SignedInUser }
  | { readonly kind: 'refused'; readonly error: unknown };

export interface Retry {
  readonly attempt: number;
  readonly waitMs: number;
  /** Undefined: the answer had no account in it. */
  readonly error: unknown;
}

interface ReturnOptions {
  /** Sends code and state to the gateway. */
  readonly ask: () => Promise<{ readonly message: string; readonly data?: SignedInUser | undefined }>;
  readonly signal: AbortSignal;
  /** Called before each wait, with what failed. */
  readonly onRetry: (retry: Retry) => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** The server refused. Without an answer, or after a failure of the server, a retry may succeed. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallError && error.kind !== 'unreachable' && (error.status ?? 200) < 500;

/**
 * Completes an external sign-in. A refusal of the first attempt is final; any other failure is retried, each time after
 * a longer wait, until the signal aborts (specification §4).
 */
export const finishReturn = async ({ ask, signal, onRetry, wait }: ReturnOptions): Promise<ReturnOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    let failure: unknown;
    try {
      const { message, data } = await ask();
      if (message === boundMessage) return { kind: 'bound' };
      if (data !== undefined) return { kind: 'signedIn', user: data };
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === 1 && isRefusal(error)) return { kind: 'refused', error };
      failure = error;
    }
    const waitMs = retryMs * attempt;
    onRetry({ attempt, waitMs, error: failure });
    await wait(waitMs);
    signal.throwIfAborted();
  }
};
