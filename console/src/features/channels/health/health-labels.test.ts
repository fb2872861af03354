import { expect, test } from 'vitest';
import { shareOf, stateOf, stateOfTest } from './health-labels.ts';

const attempts = (succeeded: number, failed: number, p50 = 100) => ({ succeeded, failed, p50, p95: p50 });

test('a period is good, slow or partly failing, mostly failing, or without calls', () => {
  expect(stateOf(attempts(0, 0))).toBe('idle');
  expect(stateOf(attempts(100, 4))).toBe('good');
  expect(stateOf(attempts(95, 5))).toBe('fair');
  expect(stateOf(attempts(100, 0, 5001))).toBe('fair');
  expect(stateOf(attempts(50, 50))).toBe('bad');
  expect([400, 5001, undefined].map(stateOfTest)).toEqual(['good', 'fair', 'bad']);
});

test('a share is 100 only if nothing failed', () => {
  expect(shareOf(attempts(0, 0))).toBeUndefined();
  expect(shareOf(attempts(3, 0))).toBe('100');
  expect(shareOf(attempts(99_999, 1))).toBe('99.9');
  expect(shareOf(attempts(2, 1))).toBe('66.6');
  expect(shareOf(attempts(0, 9))).toBe('0.0');
});
