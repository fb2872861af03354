import { expect, test } from 'vitest';
import { dollarsText, fineDollarsText, marginPercent } from './dollars.ts';

test('decimal text of dollars is shown as money, small amounts of single calls with six decimals', () => {
  expect(['0', '0.001', '1.2', '-3.456', '1234567.891'].map(dollarsText)).toEqual([
    '$0.00',
    '<$0.01',
    '$1.20',
    '-$3.46',
    '$1,234,567.89',
  ]);
  expect(['0.0000125', '2.5'].map(fineDollarsText)).toEqual(['$0.000013', '$2.50']);
});

test('a margin is a share of the revenue of the calls whose cost is known', () => {
  expect(marginPercent({ cost: '0.8', margin: '0.2' })).toBe('20%');
  expect(marginPercent({ cost: '0.96', margin: '0.04' })).toBe('4.0%');
  expect(marginPercent({ cost: '2', margin: '-1' })).toBe('-100%');
  expect(marginPercent({ cost: '200', margin: '-199.9' })).toBe('<-999%');
  expect(marginPercent({ cost: '2', margin: '-2' })).toBeUndefined();
});
