import { expect, test } from 'vitest';
import { countLoaded, fillBuckets } from './log-buckets.ts';
import { toRows } from './log-row.ts';

test('a chart includes empty buckets', () => {
  const bucket = { records: 2, quota: 0, tokens: 0 };
  const count = {
    step: 3600,
    total: 4,
    buckets: [
      { at: 7200, ...bucket },
      { at: 14_400, ...bucket },
    ],
  };
  expect(fillBuckets(count)).toEqual({ at: [7200, 10_800, 14_400], values: [2, 0, 2] });
  expect(fillBuckets(count, { start: 3700, end: 18_100 })).toEqual({
    at: [3600, 7200, 10_800, 14_400, 18_000],
    values: [0, 2, 0, 2, 0],
  });
  expect(fillBuckets(count, { start: 0, end: 18_100 }).at).toEqual([7200, 10_800, 14_400, 18_000]);
  const hours = fillBuckets(count, { start: 1, end: 3600 * 1000 }).at;
  expect([hours.length, hours.at(-1)]).toEqual([400, 3600 * 1000]);
  expect(fillBuckets({ step: 60, total: 0, buckets: [] })).toEqual({ at: [], values: [] });
  expect(fillBuckets(undefined)).toEqual({ at: [], values: [] });
});

test('loaded rows are counted if the server returns no counts', () => {
  const rows = toRows([
    { id: 1, created_at: 30, quota: 5 },
    { id: 2, created_at: 59, quota: 1 },
    { id: 3, created_at: 600, prompt_tokens: 2, completion_tokens: 3 },
  ]);
  expect(countLoaded(rows)).toEqual({
    step: 60,
    total: 3,
    buckets: [
      { at: 0, records: 2, quota: 6, tokens: 0 },
      { at: 600, records: 1, quota: 0, tokens: 5 },
    ],
  });
});
