import { expect, test } from 'vitest';
import { isChannel, readTextFilter, textFilters } from './text-filters.ts';

test('SHELL-20 administrators also type a channel id and a username', () => {
  expect(textFilters(false)).toEqual(['token_name', 'model_name']);
  expect(textFilters(true)).toEqual(['token_name', 'model_name', 'channel', 'username']);
});

test('LOG-01 a channel is a number from 1', () => {
  expect(['7', ' 12 ', '0', '-1', '1.5', 'x', '', '9'.repeat(16)].map(isChannel)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('LOG-01 a typed filter is trimmed, and an empty text is no filter', () => {
  expect(readTextFilter('token_name', '  Mobile app ')).toEqual({ token_name: 'Mobile app' });
  expect(readTextFilter('username', ' ')).toEqual({ username: undefined });
  expect(readTextFilter('channel', ' 7 ')).toEqual({ channel: 7 });
  expect(readTextFilter('channel', '')).toEqual({ channel: undefined });
});
