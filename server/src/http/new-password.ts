import { passwordLength } from '@weir/contract/users';
import { AppError } from '../errors.ts';
import type { Passwords } from './passwords.ts';

/** The hash to store for a password that somebody chose for the named account. Throws where the password is none. */
export const hashNewPassword = async (passwords: Passwords, password: string, username: string): Promise<string> => {
  const length = [...password].length;
  if (length < passwordLength.min) throw new AppError('password_too_short');
  if (length > passwordLength.max) throw new AppError('password_too_long');
  if (password.toLowerCase() === username.toLowerCase()) throw new AppError('password_too_common');
  return passwords.hash(password);
};
