import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../../test/oracles/price-vectors.json' with { type: 'json' };
import { createPrice, type Price } from './price.ts';
import { one, parseRatio, parseRatioTable, ratio, ratioToText, type Ratio } from './ratio.ts';

const exactly = (text: string): Ratio => {
  const value = parseRatio(text);
  if (value === null) throw new Error(`no ratio: ${text}`);
  return value;
};

const priceOf = (model: Ratio, completion: Ratio, group: Ratio): Price =>
  createPrice({ version: 1, model, completion, group, modelKnown: true, groupKnown: true });

const fraction = fc
  .record({ times: fc.bigInt(0n, 10n ** 12n), over: fc.bigInt(1n, 10n ** 9n) })
  .map(({ times, over }) => ratio(times, over));
const tokenCount = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 100_000_000 }));

describe('price', () => {
  test('RELAY-07 equals the exact-fraction oracle written in Python, 1,500 vectors', () => {
    for (const [m, c, g, prompt, completion, expected] of vectors) {
      const price = priceOf(exactly(String(m)), exactly(String(c)), exactly(String(g)));
      expect(
        price.quota({ prompt: Number(prompt), completion: Number(completion) }),
        JSON.stringify([m, c, g, prompt, completion]),
      ).toBe(expected);
    }
  });

  test('RELAY-07 equals plain big-integer arithmetic for any fractions, 20,000 cases', () => {
    fc.assert(
      fc.property(fraction, fraction, fraction, tokenCount, tokenCount, (m, c, g, prompt, completion) => {
        const times = (BigInt(prompt) * c.over + BigInt(completion) * c.times) * m.times * g.times;
        const over = c.over * m.over * g.over;
        const up = (times + over - 1n) / over;
        const free = m.times * g.times === 0n || prompt + completion === 0;
        const most = BigInt(Number.MAX_SAFE_INTEGER);
        const expected = free ? 0n : up < 1n ? 1n : up > most ? most : up;
        expect(BigInt(priceOf(m, c, g).quota({ prompt, completion }))).toBe(expected);
      }),
      { numRuns: 20_000 },
    );
  });

  test('affordable is the largest number of tokens whose price the amount covers', () => {
    fc.assert(
      fc.property(
        fraction,
        fraction,
        tokenCount,
        fc.integer({ min: 0, max: 1_000_000_000 }),
        (m, c, prompt, amount) => {
          const price = priceOf(m, c, one);
          const most = price.affordable(amount, prompt);
          if (most === -1) expect(price.quota({ prompt, completion: 0 })).toBeGreaterThan(amount);
          if (most === -1 || !Number.isSafeInteger(most)) return;
          if (prompt + most > 0) expect(price.quota({ prompt, completion: most })).toBeLessThanOrEqual(amount);
          expect(price.quota({ prompt, completion: most + 1 })).toBeGreaterThan(amount);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('the worked example: 1,000 prompt and 200 completion tokens of gpt-3.5-turbo cost 400', () => {
    expect(priceOf(exactly('0.25'), exactly('3'), one).quota({ prompt: 1000, completion: 200 })).toBe(400);
  });

  test.each([
    ['0.1', { times: 1n, over: 10n }],
    ['-2.50', { times: -5n, over: 2n }],
    ['1e-3', { times: 1n, over: 1000n }],
    ['2E+2', { times: 200n, over: 1n }],
    ['0', { times: 0n, over: 1n }],
  ])('reads %s as an exact fraction', (text, value) => expect(parseRatio(text)).toEqual(value));

  test.each(['', 'x', '1e999', '0x10', '1_000', 'NaN', 'Infinity', '.5', '9'.repeat(400)])(
    'refuses %j as a ratio',
    (text) => expect(parseRatio(text)).toBeNull(),
  );

  test('writes a ratio exactly, for people to check a charge by hand', () => {
    for (const text of ['0', '1', '0.25', '-2.5', '1000', '3.981818181818182', '0.000295'])
      expect(ratioToText(exactly(text))).toBe(text);
    expect(ratioToText(ratio(4n, 3n))).toBe('4/3');
    expect(priceOf(exactly('0.25'), ratio(4n, 3n), one).summary).toBe('ratio: 0.25 × 1.00 × 1.33');
  });

  test('a ratio table keeps every digit and refuses what is no object of numbers', () => {
    const table = parseRatioTable('{"a":0.1000000000000000055511151231257827,"__proto__":2,"b":1e2}');
    expect(table?.get('a')).toEqual(exactly('0.1000000000000000055511151231257827'));
    expect(table?.get('__proto__')).toEqual(exactly('2'));
    for (const text of [
      '',
      '[1]',
      '1',
      'null',
      '{"a":"1"}',
      '{"a":{"b":1}}',
      '{"a":[1]}',
      '{"a":null}',
      '{"a":1e999}',
      '{',
    ]) {
      expect(parseRatioTable(text), text).toBeNull();
    }
  });
});
