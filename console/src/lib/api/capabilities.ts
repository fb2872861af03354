import type { KnownStatus } from './status.ts';
import { useStatus } from './status.ts';

/**
 * Whether the server offers what is not part of the specification: usage over time, prices, the calculation of charges,
 * channel health, log exports. Only Weir reports its `build`; with other servers of the contract the console leaves these
 * parts out.
 */
export const hasCapabilities = ({ build }: KnownStatus): boolean => build !== undefined && build !== '';

export const useCapabilities = (): boolean => hasCapabilities(useStatus());
