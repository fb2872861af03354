import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExact, withNumbersOf } from './exact-numbers.ts';

const digits = (minLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength: 25 }).map((list) => list.join(''));
const whole = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.integer({ min: 1, max: 9 }), digits(0)).map(([first, rest]) => `${first}${rest}`),
);
/** A number in any form that JSON allows. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.oneof(
      fc.constant(''),
      digits(1).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(400)).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

/** Whole numbers as names are sorted to the front by JavaScript. */
const nameText = fc.string().map((name) => JSON.stringify(`n${name}`));

const { tree: jsonText } = fc.letrec<{ tree: string; object: string; list: string; leaf: string }>((tie) => ({
  tree: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('object'), tie('list')),
  object: fc
    .uniqueArray(fc.tuple(nameText, tie('tree')), { maxLength: 5, selector: ([name]) => name })
    .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`),
  list: fc.array(tie('tree'), { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
  leaf: fc.oneof(
    numberText,
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null', '"1.10"'),
  ),
}));

describe('R3 numbers stay as they were written', () => {
  test('in any JSON, also from within other values', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const parsed = parseExact(`{"value":${text}}`);
        expect(JSON.stringify(parsed)).toBe(`{"value":${text}}`);
        expect(JSON.stringify([{ inner: parsed }])).toBe(`[{"inner":{"value":${text}}}]`);
      }),
      { numRuns: 2000 },
    );
  });

  test('with spaces around them', () => {
    const text = '{ "a" : 1.10 , "b" : [ 1e2 , 1234567890123456789 ] , "c" : -0 }';
    expect(JSON.stringify(parseExact(text))).toBe('{"a":1.10,"b":[1e2,1234567890123456789],"c":-0}');
  });

  test('but in an object with a member toJSON, which keeps its values', () => {
    const text = '{"a":{"toJSON":1.10,"b":1e2},"c":2.50}';
    expect(parseExact(text)).toEqual(JSON.parse(text));
    expect(JSON.stringify(parseExact(text))).toBe('{"a":{"toJSON":1.1,"b":100},"c":2.50}');
  });

  test('while code that reads them gets plain values', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('in copies that name their origin, where they are still the same', () => {
    const origin = parseExact('{"a":1.10,"b":1e2}');
    if (typeof origin !== 'object' || origin === null) throw new Error('no object');
    expect(JSON.stringify(withNumbersOf(origin, { ...origin, b: 7, c: 1 }))).toBe('{"a":1.10,"b":7,"c":1}');
    expect(JSON.stringify(withNumbersOf({}, { a: 1.1 }))).toBe('{"a":1.1}');
  });

  test.each(['', '{', '{"a":1.10', 'nothing: 1.10', '[1.10,]'])('what is no JSON is undefined: %s', (text) => {
    expect(parseExact(text)).toBeUndefined();
  });
});
