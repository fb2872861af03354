import * as v from 'valibot';
import { expect, test } from 'vitest';
import { idParams, integerInput, integerQuery, pageQuery, textInput, textQuery } from './wire.ts';

test('API-02 query numbers: empty, absent and unreadable ones count as 0, fractions are floored', () => {
  const read = (raw: unknown) => v.parse(integerQuery, raw);
  for (const raw of [undefined, '', ' ', 'abc', 'NaN', '1e400', null, {}, []]) expect(read(raw)).toBe(0);
  expect(read('1712345678.678')).toBe(1712345678);
  expect(read(' 42 ')).toBe(42);
  expect(read('-3')).toBe(-3);
  expect(read(['7', '8'])).toBe(7);
  expect(read('9007199254740993')).toBe(0);
  expect(v.parse(pageQuery, '-3')).toBe(0);
});

test('query text is trimmed, bounded, and free of what no database holds', () => {
  const read = (raw: unknown) => v.parse(textQuery, raw);
  expect(read(undefined)).toBe('');
  expect(read('  a b ')).toBe('a b');
  expect(read(['a', 'b'])).toBe('a');
  expect(read('x'.repeat(1000))).toHaveLength(256);
  expect(read('a\0b\ud800')).toBe('ab\ufffd');
});

test('body integers may come as text, and nothing else may', () => {
  const read = (raw: unknown) => v.safeParse(integerInput, raw);
  expect(read(5).output).toBe(5);
  expect(read(' -12 ').output).toBe(-12);
  for (const raw of [
    1.5,
    2 ** 53,
    Number.NaN,
    Infinity,
    '1e3',
    '1.0',
    '',
    ' ',
    '0x10',
    true,
    null,
    [],
    {},
    undefined,
  ]) {
    expect(read(raw).success, String(JSON.stringify(raw))).toBe(false);
  }
});

test('body text is counted in characters', () => {
  const fits = (text: string) => v.is(textInput(3), text);
  expect(fits('水水水')).toBe(true);
  expect(fits('🌊🌊🌊')).toBe(true);
  expect(fits('🌊🌊🌊🌊')).toBe(false);
  expect(fits('a\0')).toBe(false);
  expect(fits('\ud800')).toBe(false);
});

test('path ids are digits', () => {
  expect(v.parse(idParams, { id: '15' })).toEqual({ id: 15 });
  for (const id of ['', '-1', '1.5', 'a', ' 1', '1234567890123456']) expect(v.is(idParams, { id }), id).toBe(false);
});
