import { AppError } from '../errors.ts';
import { OutboundError, type Outbound, type OutboundAnswer, type OutboundCall } from './outbound.ts';

/** A user's account at an identity provider. */
export interface ExternalAccount {
  /** Never changes, and is never given to another user. */
  readonly id: string;
  /** The sign-in name at the provider; it may change, and be given to another user. */
  readonly login: string;
  /** The display name. */
  readonly name: string;
  /** Empty where the provider did not verify it. */
  readonly email: string;
}

/** The authorization code that an identity provider returned (RFC 6749, 4.1). */
export interface AuthorizationCode {
  readonly code: string;
  /** Of PKCE (RFC 7636); undefined: the console sent no challenge. */
  readonly verifier: string | undefined;
  /** The public origin of this gateway, without a trailing slash. */
  readonly origin: string;
}

/** Exchanges a code for the account that it names. Throws an `AppError` that names the cause. */
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

export const unreachableProvider =
  (provider: string) =>
  (cause: unknown): AppError =>
    new AppError('oauth_unreachable', { provider }, cause);

/** The failure of a code that was not exchanged; `reason` is shown where it is an identifier, as of RFC 6749, 5.2. */
export const refusedCode = (provider: string, reason: string | undefined): AppError =>
  new AppError('oauth_code_refused', {
    provider,
    reason: /^\w{1,64}$/.test(reason ?? '') ? String(reason) : 'unknown',
  });
