import { m } from '../../paraglide/messages.js';
import { CallError } from './call-error.ts';

const httpText = (status: number | undefined, message: string): string => {
  if (status === 401) return m.error_not_signed_in();
  if (status === 405) return m.error_demo_only();
  if (status === 429) return m.error_too_many_requests();
  if (status === 500) return m.error_internal();
  return m.error_with_message({ message });
};

/** Only the message, for texts that already state that something failed. */
export const failureMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error text of a failure (specification §8). */
export const failureText = (error: unknown): string => {
  if (error instanceof CallError)
    return error.kind === 'refused' ? error.message : httpText(error.status, error.message);
  return m.error_with_message({ message: failureMessage(error) });
};

/** A demonstration site without a server shows an info toast only (specification §8). */
export const failureKind = (error: unknown): 'info' | 'error' =>
  error instanceof CallError && error.status === 405 ? 'info' : 'error';
