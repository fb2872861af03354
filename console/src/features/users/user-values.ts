import { passwordLength } from '@weir/contract/users';
import type { User } from '@weir/contract/users';
import type { UserFields } from './queries.ts';

/** The form's values; `quota` is NaN if its text is no number. */
export type UserValues = UserFields;
export type UserProblem = 'username' | 'password' | 'quota';

export const valuesOf = ({ username, display_name, group, quota }: User): UserValues => ({
  username,
  display_name: display_name ?? '',
  password: '',
  group,
  quota,
});

/** The request body of the form, or its errors. An empty password leaves the stored one. */
export const fieldsOf = (values: UserValues): UserFields | UserProblem => {
  const username = values.username.trim();
  const { password, quota } = values;
  if (username === '') return 'username';
  if (password !== '' && [...password].length < passwordLength.min) return 'password';
  if (!Number.isSafeInteger(quota) || quota < 0) return 'quota';
  return { ...values, username, display_name: values.display_name.trim() };
};
