import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide, multiply, parseRatio, ratio, ratioToText, readExact } from './ratio.ts';

const fraction = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))
  .map(([times, over]) => ratio(times, over));

test('M16 a quotient times its divisor is the dividend, exactly, and nothing is divided by zero', () => {
  fc.assert(
    fc.property(fraction, fraction, (one, other) => {
      const quotient = divide(one, other);
      expect(quotient && multiply(quotient, other)).toEqual(other.times === 0n ? null : one);
    }),
  );
});

test('M16 a ratio may have 300 digits, and a power of ten up to 300: what is larger is refused, not cut', () => {
  const digits = '7'.repeat(300);
  expect(parseRatio(digits)).toEqual({ times: BigInt(digits), over: 1n });
  expect(parseRatio(`${digits}7`)).toBeNull();
  expect(parseRatio(`${'7'.repeat(150)}.${'7'.repeat(150)}`)).toEqual({ times: BigInt(digits), over: 10n ** 150n });
  expect(parseRatio(`${'7'.repeat(151)}.${'7'.repeat(150)}`)).toBeNull();
  expect(parseRatio('7e300')).toEqual({ times: 7n * 10n ** 300n, over: 1n });
  expect(parseRatio('7e-300')).toEqual({ times: 7n, over: 10n ** 300n });
  expect(parseRatio('7e301')).toBeNull();
  expect(parseRatio('7e-301')).toBeNull();
});

test('M16 a price in the log is a decimal of at most 40 digits behind the point, else a fraction, and is read back exactly', () => {
  expect(ratioToText(ratio(3n, 10n ** 40n))).toBe(`0.${'0'.repeat(39)}3`);
  expect(ratioToText(ratio(3n, 10n ** 41n))).toBe(`3/${10n ** 41n}`);
  expect(ratioToText(ratio(-1n, 3n))).toBe('-1/3');
  fc.assert(
    fc.property(fraction, (value) => {
      expect(readExact(ratioToText(value))).toEqual(value);
    }),
  );
});
