import { isIP } from 'node:net';

const isRange = (text: string): boolean => {
  const [address, bits, ...rest] = text.split('/');
  const family = isIP(address ?? '');
  return family !== 0 && rest.length === 0 && bits !== undefined && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
};

/** Returns the first part of a comma-separated list that is no CIDR range; undefined: the list is right, or empty. */
export const findBadSubnet = (list: string): string | undefined =>
  list === '' ? undefined : list.split(',').map((part) => part.trim()).find((part) => !isRange(part));
