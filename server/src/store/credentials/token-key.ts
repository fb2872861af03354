import { createHash } from 'node:crypto';
import { alphanumerics, randomString } from './random-string.ts';

const randomLength = 42;
const checkLength = 6;

const checkOf = (random: string): string => {
  let rest = createHash('sha256').update(`weir ${random}`).digest().readUIntBE(0, 6);
  let check = '';
  while (check.length < checkLength) {
    check += alphanumerics[rest % alphanumerics.length];
    rest = Math.floor(rest / alphanumerics.length);
  }
  return check;
};

/** A relay key without `sk-`: 42 random alphanumerics (250 bits) and 6 that check them. */
export const createTokenKey = (): string => {
  const random = randomString(randomLength);
  return random + checkOf(random);
};

/** Whether a text is a key of ours in form: a mistyped or guessed one fails without a look into the database. */
export const isTokenKey = (key: string): boolean =>
  key.length === randomLength + checkLength && checkOf(key.slice(0, randomLength)) === key.slice(randomLength);
