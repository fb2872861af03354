import { expect, test } from 'vitest';
import { fieldsOf, newRate } from './rate-values.ts';

test('a rule has only what its scope and metric have', () => {
  expect(fieldsOf({ ...newRate, subject: ' 3 ', model: 'gpt-4o' })).toEqual({
    scope: 'token',
    subject: '3',
    model: '',
    metric: 'requests',
    period: 'minute',
    amount: 60,
  });
  expect(fieldsOf({ ...newRate, scope: 'model', subject: '3', model: ' gpt-4o', metric: 'concurrent' })).toMatchObject({
    subject: '',
    model: 'gpt-4o',
    period: '',
  });
});

test.each(['', '0', '-1', '1.5', 'many', '1e3', '9000000000000000'])('the amount %j is none', (amount) => {
  expect(fieldsOf({ ...newRate, amount })).toBeUndefined();
});
