import { usernameMax } from '@weir/contract/users';
import { sql } from 'kysely';
import { AppError } from '../../errors.ts';
import type { ReadQueries } from '../database.ts';

/** Control and format characters, and letters that show nothing: two names with them look alike. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

/** What a user name means, however its characters are written. */
const normal = (name: string): string => name.normalize('NFKC').replace(/\s+/gu, ' ').trim();

/** A user name as it is stored. Throws where it is empty or invalid; one with `@` could be another person's address. */
export const readUserName = (text: string): string => {
  if (text.trim() === '') throw new AppError('username_empty');
  const name = normal(text);
  const isValid = name !== '' && [...name].length <= usernameMax && !invisible.test(text) && !name.includes('@');
  if (!isValid) throw new AppError('username_invalid', { max: usernameMax });
  return name;
};

/** Equal for names that differ in their case, or in how their characters are written. */
export const nameKeyOf = (name: string): string => normal(normal(name).toUpperCase().toLowerCase());

/** Whether a name is another account's, in whatever case. Accounts from before have no key; deleted ones have other names. */
export const isNameTaken = async (query: ReadQueries, name: string, ownId = 0): Promise<boolean> => {
  const ids = query.selectFrom('users').select('id').where('id', '!=', ownId).limit(1);
  const sameKey = ids.where('name_key', '=', nameKeyOf(name)).where((eb) => eb('name_key', '<>', sql<string>`''`));
  const lower = [name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()), name.toLowerCase()];
  // SQLite folds the case of ASCII letters alone, PostgreSQL by its locale.
  const sameName = ids.where((eb) => eb(eb.fn<string>('lower', ['username']), 'in', lower));
  return (await sameKey.executeTakeFirst()) !== undefined || (await sameName.executeTakeFirst()) !== undefined;
};

/** Throws where a new name is another account's. Two that take one name at once are kept apart by its index. */
export const refuseTakenName = async (query: ReadQueries, name: string | undefined, ownId = 0): Promise<void> => {
  if (name !== undefined && (await isNameTaken(query, name, ownId))) throw new AppError('username_taken');
};
