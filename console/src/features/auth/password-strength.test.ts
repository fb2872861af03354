import { expect, test } from 'vitest';
import { passwordStrength } from './password-strength.ts';

test.each([
  ['', undefined],
  ['short7!', undefined],
  ['zqxjkvbw', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['zqxjkvbwmnty', 'fair'],
  ['Zqxjkvbw12', 'fair'],
  ['Zqxjkvbw12!?', 'strong'],
  ['correct horse battery staple', 'strong'],
] as const)('REG-02 the strength of %j is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});
