import { passwordLength } from '@weir/contract/users';
import { emailProblem } from '../../lib/format/email-problem.ts';

/** The values of the form. `email` and `code` are required if the gateway verifies addresses. */
export interface RegisterValues {
  readonly username: string;
  readonly password: string;
  readonly password2: string;
  readonly email: string;
  readonly verification_code: string;
}

export const emptyRegistration: RegisterValues = {
  username: '',
  password: '',
  password2: '',
  email: '',
  verification_code: '',
};

export type Problem = 'empty' | 'invalid' | 'short' | 'mismatch';
export type Problems = Partial<Record<keyof RegisterValues, Problem>>;

/** The errors of the form by field (specification §5). */
export const findProblems = (values: RegisterValues, verifiesEmail: boolean): Problems => {
  const required = verifiesEmail
    ? (['username', 'password', 'email', 'verification_code'] as const)
    : (['username', 'password'] as const);
  const problems: Problems = {};
  for (const name of required) if (values[name].trim() === '') problems[name] = 'empty';
  if (verifiesEmail && emailProblem(values.email) === 'invalid') problems.email = 'invalid';
  if (problems.password === undefined && [...values.password].length < passwordLength.min) problems.password = 'short';
  if (problems.password === undefined && values.password2 !== values.password) problems.password2 = 'mismatch';
  return problems;
};
