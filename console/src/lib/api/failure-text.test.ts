import { expect, test } from 'vitest';
import { CallError } from './call-error.ts';
import { failureText } from './failure-text.ts';

test.each([
  [401, 'not logged in or login expired, please log in again'],
  [429, 'Error: too many requests, please try again later!'],
  [500, 'Error: internal server error, please contact the administrator!'],
  [404, 'Error: HTTP 404'],
])('ERR-01 words HTTP %i as specified', (status, text) => {
  expect(failureText(new CallError('http', `HTTP ${status}`, status))).toBe(text);
});

test('ERR-01 shows every other failure with its message', () => {
  expect(failureText(new CallError('unreachable', 'Failed to fetch'))).toBe('Error: Failed to fetch');
  expect(failureText(new Error('out of cheese'))).toBe('Error: out of cheese');
  expect(failureText('a value')).toBe('Error: a value');
});

test('ERR-02 shows only the message of the server for a refusal', () => {
  expect(failureText(new CallError('refused', 'the name is taken'))).toBe('the name is taken');
});
