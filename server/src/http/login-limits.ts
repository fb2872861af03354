/** Wrong passwords for one account before the next attempt has to wait, and how the wait grows. */
const freeFailures = 10;
const firstDelayMs = 2000;
const delayMaxMs = 15 * 60_000;
const accountsMax = 100_000;

/** Slows guessing at one account down; the account's owner gets in again after the wait. */
export interface LoginLimits {
  /** Whether an attempt for this account may be made now. */
  allows(account: string): boolean;
  failed(account: string): void;
  succeeded(account: string): void;
}

interface Failures {
  count: number;
  /** Milliseconds of the clock before which no attempt is looked at. */
  blockedUntil: number;
}

export const createLoginLimits = (clock: { now(): number }): LoginLimits => {
  const accounts = new Map<string, Failures>();
  return {
    allows: (account) => (accounts.get(account)?.blockedUntil ?? 0) <= clock.now(),
    failed: (account) => {
      const count = (accounts.get(account)?.count ?? 0) + 1;
      const delayMs = count < freeFailures ? 0 : Math.min(delayMaxMs, firstDelayMs * 2 ** (count - freeFailures));
      accounts.delete(account);
      accounts.set(account, { count, blockedUntil: clock.now() + delayMs });
      const oldest = accounts.size > accountsMax ? accounts.keys().next().value : undefined;
      if (oldest !== undefined) accounts.delete(oldest);
    },
    succeeded: (account) => void accounts.delete(account),
  };
};
