import { AppError } from '../errors.ts';
import { OutboundError, type Outbound, type OutboundAnswer, type OutboundCall } from './outbound.ts';

/** Who somebody is at another place. */
export interface ExternalAccount {
  /** Never changes there, and never becomes somebody else's. */
  readonly id: string;
  /** The name that the place signs them in by; it may change, and become somebody else's. */
  readonly login: string;
  /** What they are called. */
  readonly name: string;
  /** Empty where the place does not vouch that it is theirs. */
  readonly email: string;
}

/** What comes back from a place that people were sent to (RFC 6749, 4.1). */
export interface AuthorizationCode {
  readonly code: string;
  /** Of PKCE (RFC 7636); undefined: the console sent no challenge along. */
  readonly verifier: string | undefined;
  /** This gateway as its visitors see it, without a slash at its end. */
  readonly origin: string;
}

/** Exchanges a code for the account that it names. Throws an `AppError` that says what went wrong. */
export type ExchangeCode = (grant: AuthorizationCode) => Promise<ExternalAccount>;

/** An answer of any status but those of a failing server; without one, the failure that `unreachable` makes. */
export const reach = async (
  outbound: Outbound,
  unreachable: (cause: unknown) => AppError,
  call: OutboundCall,
): Promise<OutboundAnswer> => {
  try {
    const answer = await outbound(call);
    if (answer.status < 500) return answer;
    throw new OutboundError(`status ${answer.status}`);
  } catch (error) {
    throw error instanceof OutboundError ? unreachable(error) : error;
  }
};

export const unreachablePlace =
  (place: string) =>
  (cause: unknown): AppError =>
    new AppError('oauth_unreachable', { place }, cause);

/** The failure of a code that was not exchanged; `reason` is shown where it is an identifier, as of RFC 6749, 5.2. */
export const refusedCode = (place: string, reason: string | undefined): AppError =>
  new AppError('oauth_code_refused', { place, reason: /^\w{1,64}$/.test(reason ?? '') ? String(reason) : 'unknown' });
