import { expect, test } from 'vitest';
import { formatTook } from '../../lib/format/format-took.ts';
import { formatCost } from '../../lib/format/format.ts';
import { isVerySlow, mergeRows, valuesOf } from './log-format.ts';
import { toRows } from './list/log-row.ts';
import type { WireLog } from './list/log-row.ts';

const rowsOf = (...records: readonly WireLog[]) => toRows(records);
const dollars = { perUnit: 500_000, inCurrency: true };

test('LOG-03 FMT-03 amounts under one cent show 6 decimals in the log, others 2', () => {
  expect(formatCost(15_264, dollars)).toBe('$0.03');
  expect(formatCost(5000, dollars)).toBe('$0.01');
  expect(formatCost(4999, dollars)).toBe('$0.009998');
  expect(formatCost(1, dollars)).toBe('$0.000002');
  expect(formatCost(0, dollars)).toBe('$0.00');
  expect(formatCost(-4999, dollars)).toBe('-$0.009998');
});

test('LOG-03 FMT-02 without currency the log shows plain quota', () => {
  expect(formatCost(4999, { ...dollars, inCurrency: false })).toBe('4,999');
  expect(formatCost(12_345, { ...dollars, inCurrency: false })).toBe('12.3k');
});

test('LOG-03 the duration of a call is shown in seconds; over 10 of them are very slow', () => {
  expect([420, 999, 3210, 72_400].map(formatTook)).toEqual(['0.42 s', '1.00 s', '3.2 s', '72.4 s']);
  expect([9999, 10_000, 10_001].map((ms) => isVerySlow({ elapsed_time: ms }))).toEqual([false, false, true]);
});

test('LOG-03 live records join the loaded ones once, newest first', () => {
  const loaded = rowsOf({ id: 3, created_at: 30 }, { id: 2, created_at: 20 });
  expect(mergeRows(rowsOf({ id: 4, created_at: 30 }, { id: 3, created_at: 30 }), loaded).map(({ id }) => id)).toEqual([
    4, 3, 2,
  ]);
  expect(mergeRows([], loaded)).toBe(loaded);
});

test('LOG-03 reloaded rows newer than the live ones stay above them', () => {
  const merged = mergeRows(
    rowsOf({ id: 4, created_at: 40 }),
    rowsOf({ id: 5, created_at: 50 }, { id: 4, created_at: 40 }),
  );
  expect(merged.map(({ id }) => id)).toEqual([5, 4]);
});

test('LOG-01 filters suggest the distinct values of the loaded rows, without empty ones', () => {
  const rows = rowsOf(
    { id: 1, created_at: 1, model_name: 'b', channel: 7 },
    { id: 2, created_at: 1, model_name: 'a' },
    { id: 3, created_at: 1, model_name: 'b' },
  );
  expect(valuesOf(rows, 'model_name')).toEqual(['b', 'a']);
  expect(valuesOf(rows, 'channel')).toEqual(['7']);
});
