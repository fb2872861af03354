import { expect, test } from 'vitest';
import type { Usage } from '@weir/contract/usage';
import { changeOf, changeText, daysLeft, seriesOf, timesOf, totals } from './usage-series.ts';

const day = 86_400;
const sums = (quota: number) => ({ requests: 1, quota, prompt_tokens: 2, completion_tokens: 3 });
const usage: Usage = {
  from: 10 * day,
  before: 13 * day + 100,
  step: day,
  total: { requests: 4, quota: 100, prompt_tokens: 8, completion_tokens: 12 },
  total_before: sums(0),
  refused: 0,
  names: [{ name: '5', title: 'Main', ...sums(70), quota_before: 0 }],
  buckets: [
    { at: 10 * day, name: '5', ...sums(50) },
    { at: 10 * day, name: null, ...sums(30) },
    { at: 12 * day, name: '5', ...sums(20) },
  ],
};

test('a series has a value for every bucket, and the unnamed rest is one series', () => {
  expect(timesOf(usage)).toEqual([10 * day, 11 * day, 12 * day, 13 * day]);
  expect(seriesOf(usage, 'quota', 'Other')).toEqual([
    { name: 'Main', color: 1, values: [50, 0, 20, 0] },
    { name: 'Other', color: 8, values: [30, 0, 0, 0] },
  ]);
  expect(seriesOf(usage, 'tokens', 'Other')[0]?.values).toEqual([5, 0, 5, 0]);
  expect(totals(usage, 'requests')).toEqual([2, 0, 1, 0]);
});

test('changes and days left are given if enough data is known', () => {
  expect(changeOf(110, 100)).toBe(10);
  expect(changeOf(50, 100)).toBe(-50);
  expect(changeOf(50, 0)).toBeUndefined();
  // Two days with usage are too few.
  expect(daysLeft(usage, 1000)).toBeUndefined();
  const third = { ...usage, buckets: [...usage.buckets, { at: 13 * day, name: '5', ...sums(0) }] };
  expect(daysLeft(third, 1000)).toBe(30);
  expect(daysLeft(third, 1_000_000)).toBeUndefined();
  expect([-50, 999, 60_574].map(changeText)).toEqual(['50', '999', '> 999']);
});
