import { expect, test } from 'vitest';
import { recentMonths, sumsByDay, sumsByModel, totalQuota } from './usage-sums.ts';

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;
const row = (date: string, model: string, quota: number) => ({
  day: day(date),
  model,
  requests: 1,
  prompt_tokens: 2,
  completion_tokens: 3,
  quota,
});

test('usage of a statement is summed by model, the dearest first, and by day, the oldest first', () => {
  const rows = [row('2026-11-02', 'a', 5), row('2026-11-01', 'b', 7), row('2026-11-02', 'b', 1)];
  expect(sumsByModel(rows).map(({ name, quota, calls }) => [name, quota, calls])).toEqual([
    ['b', 8, 2],
    ['a', 5, 1],
  ]);
  expect(sumsByDay(rows).map(({ name, quota, promptTokens }) => [name, quota, promptTokens])).toEqual([
    ['2026-11-01', 7, 2],
    ['2026-11-02', 6, 4],
  ]);
  expect(totalQuota(rows)).toBe(13);
});

test('the months to choose from go back from the present one, also over the end of a year', () => {
  const months = recentMonths(Date.parse('2026-01-31T23:00:00Z'));
  expect(months.slice(0, 3)).toEqual(['2026-01', '2025-12', '2025-11']);
  expect(new Set(months).size).toBe(24);
});
