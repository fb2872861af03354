import { randomInt } from 'node:crypto';

export const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Without look-alike characters, for secrets that are typed by hand. */
const legible = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Characters drawn uniformly at random from a cryptographic source. */
export const randomString = (length: number, alphabet = alphanumerics): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A generated password: 20 characters, 116 bits. */
export const randomPassword = (): string => randomString(20, legible);
