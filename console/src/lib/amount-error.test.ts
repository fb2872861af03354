import { expect, test } from 'vitest';
import { amountError } from './amount-error.ts';
import { translatorIn } from './hooks/use-t.ts';

test('C80 a number that is too large is not called too small', () => {
  const words = [Number.NaN, 0, 1.5, 1e16].map((value) => amountError(translatorIn('en'), value, 1));
  const small = 'Enter a whole number of 1 or more';
  expect(words).toEqual([small, small, small, 'This number is too large']);
  expect(amountError(translatorIn('zh'), 1e16, 1)).toBe('该数字过大');
});
