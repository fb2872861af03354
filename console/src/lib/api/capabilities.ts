import type { KnownStatus } from './status.ts';
import { currentStatus, statusKnown, useStatus } from './status.ts';

/**
 * Whether the server supports what is not part of the specification: usage over time, prices, the calculation of
 * charges, channel health, log exports. Only Weir reports its `build`; with other servers of the contract the console
 * hides these parts.
 */
export const hasCapabilities = ({ build }: KnownStatus): boolean => build !== undefined && build !== '';

export const useCapabilities = (): boolean => hasCapabilities(useStatus());

/** Whether the server supports them, once its status is known: calls that it does not have are not sent to it. */
export const statusWithCapabilities = async (): Promise<boolean> => {
  if (!hasCapabilities(currentStatus())) await statusKnown.promise;
  return hasCapabilities(currentStatus());
};
