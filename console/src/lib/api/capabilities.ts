import type { KnownStatus } from './status.ts';
import { useStatus } from './status.ts';

/**
 * Whether the server offers what goes beyond the specification: usage over time, prices, the arithmetic of charges,
 * channel health, files of the log. Only Weir tells its `build`; on other servers of the contract these parts of the
 * console are absent.
 */
export const hasCapabilities = ({ build }: KnownStatus): boolean => build !== undefined && build !== '';

export const useCapabilities = (): boolean => hasCapabilities(useStatus());
