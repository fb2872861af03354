import { expect, test } from 'vitest';
import { dollars } from './bill-rows.ts';

test.each([
  [null, '—'],
  [0, '$0.00'],
  [1, '$0.000000001'],
  [64_000_000, '$0.064'],
  [1_234_567_500_000_000, '$1,234,567.50'],
  [-250_000_000, '−$0.25'],
])('%s nano-dollars are shown exactly', (nano, text) => {
  expect(dollars(nano)).toBe(text);
});
