import { expect, test } from 'vitest';
import { changeText, dollarText, exactToDecimal, readDollars, readExact, timesExact } from './exact.ts';

const exact = (text: string) => {
  const read = readExact(text);
  if (read === undefined) throw new Error(`no number: ${text}`);
  return read;
};

test.each([
  ['1.25', '1.25'],
  ['$1.50', '1.50'],
  [' 2 ', '2'],
  ['0,075', '0.075'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['0', '0'],
])('%j is read as %s dollars', (typed, text) => {
  expect(readDollars(typed)).toBe(text);
});

test.each(['', 'free', '-1', '1e3', '1.2.3', '1,234,567', '01', '0.1234567890123456', '9999999999'])(
  '%j is no amount of dollars',
  (typed) => {
    expect(readDollars(typed)).toBeUndefined();
  },
);

test('products are exact, and rounded up where a decimal has an end', () => {
  expect(exactToDecimal(timesExact(exact('0.1'), exact('0.2')), 15)).toBe('0.02');
  expect(exactToDecimal(exact('2/3'), 6)).toBe('0.666667');
  expect(exactToDecimal(exact('12'), 6)).toBe('12');
  expect(readExact('1/0')).toBeUndefined();
  expect(readExact('-1')).toBeUndefined();
});

test.each([
  ['1.5', '1.25', '+20%'],
  ['1.25', '1.25', '±0%'],
  ['0', '2', '−100%'],
  ['1.01', '1', '+1%'],
  ['0.945', '1', '−5.5%'],
  ['100', '1', '+9,900%'],
])('%s dollars are beside %s: %s', (own, list, text) => {
  expect(changeText(exact(own), exact(list))).toBe(text);
});

test('nothing is compared with a price of zero, and dollars keep what is small', () => {
  expect(changeText(exact('1'), exact('0'))).toBeUndefined();
  expect(dollarText(exact('0.0375'))).toBe('$0.0375');
  expect(dollarText(exact('1234.5'))).toBe('$1,234.50');
});
