import { readFileSync } from 'node:fs';
import { passwordLength } from '@weir/contract/users';
import { AppError } from '../../errors.ts';
import type { Passwords } from './passwords.ts';

/** The passwords that attackers try first; source of the list: docs/decisions/0010-common-passwords.md. */
const common = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
);

/** Fewer different characters are a pattern. */
const charactersMin = 3;

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * The hash to store for a new password. `names` are what it must not be the same as: the account's name and address,
 * the name of this gateway. Throws where it is too short, too long or too easily guessed; there are no rules about its
 * characters (NIST SP 800-63B).
 */
export const hashNewPassword = async (
  passwords: Passwords,
  password: string,
  ...names: readonly string[]
): Promise<string> => {
  const length = [...password].length;
  if (length < passwordLength.min) throw new AppError('password_too_short');
  if (length > passwordLength.max) throw new AppError('password_too_long');
  const wanted = plain(password);
  if (common.has(wanted) || new Set(wanted).size < charactersMin || names.map(plain).includes(wanted))
    throw new AppError('password_too_common');
  return passwords.hash(password);
};
