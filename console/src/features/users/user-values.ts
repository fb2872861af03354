import { passwordLength } from '@weir/contract/users';
import type { User } from '@weir/contract/users';
import type { UserFields } from './queries.ts';

/** The form as it is being filled in; `quota` is not a number while its text is none. */
export type UserValues = UserFields;
export type UserProblem = 'username' | 'password' | 'quota';

export const valuesOf = ({ username, display_name, group, quota }: User): UserValues => ({
  username,
  display_name: display_name ?? '',
  password: '',
  group,
  quota,
});

/** What the form sends, or what is wrong with it. An empty password stays as it is. */
export const fieldsOf = (values: UserValues): UserFields | UserProblem => {
  const username = values.username.trim();
  const { password, quota } = values;
  if (username === '') return 'username';
  if (password !== '' && [...password].length < passwordLength.min) return 'password';
  if (!Number.isSafeInteger(quota) || quota < 0) return 'quota';
  return { ...values, username, display_name: values.display_name.trim() };
};
