import { expect, test } from 'vitest';
import { fieldsOf, isAmountWrong, isSubjectWrong, newBudget } from './budget-values.ts';

const values = newBudget({});

test('a budget has an ID or the name of a model, as its scope wants', () => {
  expect(fieldsOf({ ...values, subject: ' 3 ', model: 'gpt-5' })).toMatchObject({ subject_id: 3, model: '' });
  expect(fieldsOf({ ...values, scope: 'model', subject: '3', model: ' gpt-5 ' })).toMatchObject({
    subject_id: 0,
    model: 'gpt-5',
  });
  expect(newBudget({ scope: 'user', subject: 7 })).toMatchObject({ scope: 'user', subject: '7' });
});

test.each(['', '0', '-1', '1.5', 'root', '1'.repeat(16)])('the subject %j is none', (subject) => {
  expect(isSubjectWrong({ ...values, subject })).toBe(true);
  expect(isSubjectWrong({ ...values, scope: 'model', subject, model: 'gpt-5' })).toBe(false);
});

test.each([Number.NaN, 0, -1, 1.5, 2e15])('the amount %j is none', (amount) => {
  expect(isAmountWrong({ ...values, amount })).toBe(true);
  expect(isAmountWrong(values)).toBe(false);
});
