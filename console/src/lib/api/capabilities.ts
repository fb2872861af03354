import type { KnownStatus } from './status.ts';
import { useStatus } from './status.ts';

/**
 * Whether the server supports what is not part of the specification: usage over time, prices, the calculation of
 * charges, channel health, log exports. Only Weir reports its `build`; with other servers of the contract the console
 * hides these parts.
 */
export const hasCapabilities = ({ build }: KnownStatus): boolean => build !== undefined && build !== '';

export const useCapabilities = (): boolean => hasCapabilities(useStatus());
