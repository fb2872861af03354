import { expect, test } from 'vitest';
import { emptyRegistration, findProblems } from './register-values.ts';

const good = { ...emptyRegistration, username: 'ada', password: 'a good password', password2: 'a good password' };

test('REG-02 a user name and a password are required, and with e-mail verification an address and its code', () => {
  expect(findProblems(emptyRegistration, false)).toEqual({ username: 'empty', password: 'empty' });
  expect(findProblems(good, false)).toEqual({});
  expect(findProblems(good, true)).toEqual({ email: 'empty', verification_code: 'empty' });
});

test('REG-03 REG-04 a short password is reported first, then a mismatch of the two', () => {
  expect(findProblems({ ...good, password: 'Xk3vQp9' }, false)).toEqual({ password: 'short' });
  expect(findProblems({ ...good, password: '水'.repeat(8), password2: '' }, false)).toEqual({ password2: 'mismatch' });
});
