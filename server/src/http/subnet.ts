import { isRange } from './ranges.ts';

/** Returns the first part of a comma-separated list that is no CIDR range; undefined: the list is right, or empty. */
export const findBadSubnet = (list: string): string | undefined =>
  list === ''
    ? undefined
    : list
        .split(',')
        .map((part) => part.trim())
        .find((part) => !part.includes('/') || !isRange(part));
