import { tokenDefaults } from '@weir/contract/tokens';
import { expect, test } from 'vitest';
import { fieldsOf, valuesOf } from './token-values.ts';

const now = new Date(2026, 10, 21, 12, 0, 0, 1).getTime();
const values = valuesOf({ name: 'ci', ...tokenDefaults, models: '', subnet: '' });

test('TOK-11 starts with 500,000 units, no expiry and a limit', () => {
  expect(values).toEqual({ name: 'ci', quota: 500_000, unlimited: false, expiry: '', models: [], subnet: '' });
  expect(fieldsOf(values, now)).toEqual({
    name: 'ci',
    remain_quota: 500_000,
    expired_time: -1,
    unlimited_quota: false,
    models: '',
    subnet: '',
  });
});

test('C20 sends the models and networks that the form holds, and refuses what is no network', () => {
  const limited = valuesOf({ name: 'ci', ...tokenDefaults, models: 'a, b', subnet: '10.0.0.0/8,::1/128' });
  expect(limited).toMatchObject({ models: ['a', 'b'], subnet: '10.0.0.0/8\n::1/128' });
  expect(fieldsOf(limited, now)).toMatchObject({ models: 'a,b', subnet: '10.0.0.0/8,::1/128' });
  expect(fieldsOf({ ...limited, models: [], subnet: '' }, now)).toMatchObject({ models: '', subnet: '' });
  expect(fieldsOf({ ...limited, subnet: '10.0.0.0/40' }, now)).toBe('subnet');
});

test('TOK-12 sends the expiry as unix seconds rounded up', () => {
  expect(fieldsOf({ ...values, expiry: '+1h' }, now)).toMatchObject({ expired_time: Math.ceil(now / 1000 + 3600) });
});

test('TOK-12 refuses an expiry that is no time', () => {
  expect(fieldsOf({ ...values, expiry: 'next week' }, now)).toBe('expiry');
});

test.each([Number.NaN, -1, 1.5, 2 ** 60])('TOK-13 refuses a quota of %d', (quota) => {
  expect(fieldsOf({ ...values, quota }, now)).toBe('quota');
});

test('TOK-13 requires no quota of an unlimited token', () => {
  expect(fieldsOf({ ...values, quota: Number.NaN, unlimited: true }, now)).toMatchObject({
    remain_quota: 0,
    unlimited_quota: true,
  });
});

test('C52 refuses an expiry in the past, unless the form opened with it', () => {
  const expiry = '2026-11-21 11:00:00';
  expect(fieldsOf({ ...values, expiry }, now)).toBe('past');
  expect(fieldsOf({ ...values, expiry }, now, expiry)).toMatchObject({ name: 'ci' });
});
