import { expect, test } from 'vitest';
import { ratesOf } from './charged-rates.ts';

test('the rates of a charge are quota units for a million tokens, with the ratio of the group', () => {
  const ratios = { model: '0.625', completion: '8', group: '1.2' };
  expect(ratesOf({ ratios, free_prompt: false })).toEqual({ input: 750_000, output: 6_000_000 });
  expect(ratesOf({ ratios: { ...ratios, completion: '4/3' }, free_prompt: true })).toEqual({
    input: 0,
    output: 1_000_000,
  });
});

test('a row without ratios, or with ones that cannot be read, has no rates', () => {
  expect(ratesOf({ ratios: null, free_prompt: false })).toBeUndefined();
  expect(ratesOf({ ratios: { model: '-1', completion: '1', group: '1' }, free_prompt: false })).toBeUndefined();
});
