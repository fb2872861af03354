import { emailMax } from '@weir/contract/registration';

/** What the server certainly refuses; it checks the rest, such as the characters of a domain. */
const address = /^[^\s@]+@[^\s@]+[.。．｡][^\s@.。．｡]+$/;

export type EmailProblem = 'empty' | 'invalid';

/** Why no mail can be sent to a typed address, before anything is sent. */
export const emailProblem = (typed: string): EmailProblem | undefined => {
  const text = typed.trim();
  if (text === '') return 'empty';
  return address.test(text) && [...text].length <= emailMax ? undefined : 'invalid';
};
