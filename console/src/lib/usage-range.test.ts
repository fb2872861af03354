import { expect, test } from 'vitest';
import { endOf, startOf } from './usage-range.ts';

const at = (text: string): number => Date.parse(text) / 1000;

test('C35 yesterday and last month are closed ranges, also across the turn of a year', () => {
  const now = at('2027-01-01T12:00:00');
  expect([startOf('yesterday', now), endOf('yesterday', now)]).toEqual([
    at('2026-12-31T00:00:00'),
    at('2026-12-31T23:59:59'),
  ]);
  expect([startOf('last-month', now), endOf('last-month', now)]).toEqual([
    at('2026-12-01T00:00:00Z'),
    at('2026-12-31T23:59:59Z'),
  ]);
  expect([endOf('today', now), endOf('7d', now)]).toEqual([undefined, undefined]);
});
