import { expect, test } from 'vitest';
import { statusOf, viewKeeps } from './redemption-status.ts';
import { fieldsOf } from './redemption-values.ts';

const values = { name: ' gift ', quota: 100_000, count: '3' };

test('RED-04 name, quota and count are required, whole and at least 1', () => {
  expect(fieldsOf(values)).toEqual({ name: 'gift', quota: 100_000, count: 3 });
  expect(fieldsOf({ ...values, name: '  ' })).toBe('name');
  for (const quota of [Number.NaN, 0, -1, 1.5]) expect(fieldsOf({ ...values, quota })).toBe('quota');
  for (const count of ['', '0', '-1', '1.5', '1e2', 'many']) expect(fieldsOf({ ...values, count })).toBe('count');
  expect(fieldsOf({ ...values, count: ' 500 ' })).toMatchObject({ count: 500 });
});

test('RED-01 statuses have their labels, and unknown numbers are labelled as unknown', () => {
  expect([1, 2, 3, 9].map((status) => statusOf(status)[0]())).toEqual(['Unused', 'Disabled', 'Used', 'Unknown']);
  const code = { id: 1, user_id: 1, key: '', name: '', quota: 1, created_time: 0, redeemed_time: 0, count: 0 };
  expect([1, 2, 3].map((status) => viewKeeps('used')({ ...code, status }))).toEqual([false, false, true]);
});
