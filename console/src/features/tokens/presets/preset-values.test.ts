import { expect, test } from 'vitest';
import { fieldsOf } from '../form/token-values.ts';
import { presetOf, valuesByPreset } from './preset-values.ts';

const preset = {
  id: 1,
  name: 'Course',
  remain_quota: 500,
  unlimited_quota: false,
  days: 30,
  models: 'gpt-5,gpt-5-mini',
  subnet: '10.0.0.0/8,::1/128',
};
const now = Date.UTC(2026, 10, 28, 13, 7, 9, 501);

test('a preset that fills in the form of a token is the same preset again', () => {
  for (const days of [0, 1, 30, 3650]) {
    const fields = fieldsOf(valuesByPreset({ ...preset, days }), now);
    const { id: _id, ...terms } = { ...preset, days };
    expect(typeof fields === 'object' && presetOf(fields, now)).toEqual(terms);
  }
});

test('an expiry of less than a day is one of a day, and none is longer than ten years', () => {
  const fields = { ...preset, expired_time: Math.floor(now / 1000) + 60 };
  expect(presetOf(fields, now).days).toBe(1);
  expect(presetOf({ ...fields, expired_time: 9e9 }, now).days).toBe(3650);
});
