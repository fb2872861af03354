import { expect, test } from 'vitest';
import { labelledBuckets, labelOf } from './chart-labels.ts';

const day = 86_400;
const days = (count: number) => Array.from({ length: count }, (_, index) => (20_000 + index) * day);

test('every day has a label if it fits, otherwise every few days', () => {
  expect(labelledBuckets({ at: days(7), step: day }, 700)).toEqual(days(7));
  const labelled = labelledBuckets({ at: days(30), step: day }, 700);
  expect(labelled.map((time) => time / day)).toEqual([
    20_001, 20_004, 20_007, 20_010, 20_013, 20_016, 20_019, 20_022, 20_025, 20_028,
  ]);
  expect(labelOf(20_001 * day, day)).toBe('10-05');
});

test('hours have labels at even parts of the day; midnight shows the date', () => {
  const from = new Date(2026, 10, 20, 17).getTime() / 1000;
  const at = Array.from({ length: 24 }, (_, index) => from + index * 3600);
  const labels = labelledBuckets({ at, step: 3600 }, 500).map((time) => labelOf(time, 3600));
  expect(labels).toEqual(['20:00', '11-21', '04:00', '08:00', '12:00', '16:00']);
});
