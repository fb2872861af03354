import { randomInt } from 'node:crypto';

export const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Without the characters that people take for one another: for what may be typed by hand. */
const legible = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Characters drawn at random, each as likely as any other. */
export const randomText = (length: number, alphabet = alphanumerics): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A password made for somebody: 20 characters, 116 bits. */
export const randomPassword = (): string => randomText(20, legible);
