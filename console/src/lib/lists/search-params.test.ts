import { expect, test } from 'vitest';
import { oneOf, oneOfNumbers, parseSearch, searchOf, stringifySearch, upTo, whole } from './search-params.ts';

const read = searchOf({ p: whole(1, 100), size: oneOfNumbers([10, 20]), order: oneOf(['used']), q: upTo(5) });

test('reads known parameters with valid values', () => {
  expect(read({ p: '3', size: '20', order: 'used', q: ' abc ' })).toEqual({ p: 3, size: 20, order: 'used', q: 'abc' });
});

test('drops invalid values and unknown parameters', () => {
  expect(read({ p: '0', size: '15', order: 'name', q: '   ', evil: '1' })).toEqual({});
  expect(read({ p: '1.5' })).toEqual({});
  expect(read({ p: 'NaN' })).toEqual({});
  expect(read({ p: {} })).toEqual({});
});

test('cuts texts that are too long', () => {
  expect(read({ q: 'abcdefgh' })).toEqual({ q: 'abcde' });
});

test('writes and reads an address back', () => {
  const search = { p: 2, q: 'a&b=c 日志' };
  expect(parseSearch(stringifySearch(search))).toEqual({ p: '2', q: 'a&b=c 日志' });
});

test('leaves absent and empty parameters out of the address', () => {
  expect(stringifySearch({ p: undefined, q: '' })).toBe('');
});
