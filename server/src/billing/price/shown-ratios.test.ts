import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseObject } from '../../../test/parsing/json.ts';
import { createBookIndex } from './book/book-index.ts';
import { readShippedBook } from './book/shipped-book.ts';
import { builtInRatios } from './prices.ts';
import { parseRatio, parseRatioTable } from './ratio.ts';
import { operatorRatios, shownRatios, withoutRatios } from './shown-ratios.ts';

const index = createBookIndex(readShippedBook());
const at = new Date('2026-11-25T12:00:00Z');
const showing = (stored: Readonly<Record<string, string>>, quotaPerUnit = '500000') =>
  shownRatios(
    { builtIn: builtInRatios, index, own: [], at },
    { text: (key) => (key === 'QuotaPerUnit' ? quotaPerUnit : (stored[key] ?? '')) },
  );

const keys = ['ModelRatio', 'CompletionRatio'] as const;
const listed = [...showing({}).ModelRatio.defaults.keys()];
const name = fc.oneof(
  fc.constantFrom(...listed),
  fc.constantFrom('house-model', 'gpt-4.1(3)', '__proto__', 'ü "quoted"'),
);
/** Prices; what is far smaller is no decimal of 40 digits, and is kept as the nearest double. */
const least = 1e-15;
const number = fc
  .oneof(fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }), fc.nat(1000))
  .map((value) => JSON.stringify(value < least ? 0 : value));
const table = fc
  .uniqueArray(fc.tuple(name, number), { maxLength: 8, selector: ([key]) => key })
  .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`);

const equal = (one: string, other: string): boolean => {
  const [first, second] = [parseRatioTable(one), parseRatioTable(other)];
  if (first === null || second === null || first.size !== second.size) return false;
  return [...first].every(([key, { times, over }]) => {
    const found = second.get(key);
    return found !== undefined && found.times === times && found.over === over;
  });
};

describe('R5 the ratio options as consoles of One API read and write them', () => {
  test('list prices are shown as ratios: gpt-4.1 at $2 and $8 is 1 and 4', () => {
    const of = (key: (typeof keys)[number], model: string, quotaPerUnit?: string) =>
      parseObject(showing({}, quotaPerUnit)[key].text)[model];
    expect([of('ModelRatio', 'gpt-4.1'), of('CompletionRatio', 'gpt-4.1')]).toEqual([1, 4]);
    expect([of('ModelRatio', 'claude-opus-5-5'), of('CompletionRatio', 'claude-opus-5-5')]).toEqual([2, 5]);
    expect(of('ModelRatio', 'gpt-3.5-turbo-0613')).toBe(0.75);
    expect(of('ModelRatio', 'gpt-4.1', '1000000')).toBe(2);
  });

  test.each(keys)('%s sent back as it was shown sets nothing, whatever the operator had set', (key) => {
    fc.assert(
      fc.property(table, (stored) => {
        const shown = showing({ [key]: stored })[key];
        const kept = operatorRatios(shown.text, shown.defaults);
        // What was set stays, but for what is equal to what counts anyway.
        const expected = operatorRatios(stored, shown.defaults);
        expect(equal(kept, expected), `${stored} became ${kept}`).toBe(true);
        expect(equal(showing({ [key]: kept })[key].text, shown.text)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test.each(keys)('%s sent back with one entry changed sets that entry alone', (key) => {
    fc.assert(
      fc.property(name, number, (changed, value) => {
        const shown = showing({})[key];
        const before: unknown = JSON.parse(shown.text);
        const sent = JSON.stringify(before).replace(/\}$/, `,${JSON.stringify(changed)}:${value}}`);
        const isSame = shown.defaults.get(changed) === value;
        const kept = operatorRatios(sent, shown.defaults);
        expect(equal(kept, isSame ? '{}' : `{${JSON.stringify(changed)}:${value}}`), kept).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('every default is a JSON number that reads as itself', () => {
    for (const key of keys)
      for (const [model, text] of showing({})[key].defaults) {
        expect(JSON.stringify(JSON.parse(text)), model).toMatch(/^\d/);
        expect(parseRatio(text), model).not.toBeNull();
      }
  });

  test('without a price book an option is shown as it was stored', () => {
    const bare = { builtIn: builtInRatios, index: null, own: [], at };
    const texts = { text: (key: string) => (key === 'ModelRatio' ? '{ "a" : 1.50 }' : '') };
    expect(shownRatios(bare, texts).ModelRatio.text).toBe('{ "a" : 1.50 }');
    expect(parseRatioTable(shownRatios(bare, texts).CompletionRatio.text)?.size).toBeGreaterThan(0);
  });

  test('own prices of all groups and channels are shown, those that are to come or of some are not', () => {
    const entry = {
      id: 1,
      model: 'house',
      group: '',
      channelId: 0,
      from: 0,
      card: { rates: { input: '3', output: '6' } },
    };
    const shownOf = (change: object) =>
      shownRatios(
        { builtIn: builtInRatios, index, own: [{ ...entry, ...change }], at },
        { text: (key) => (key === 'QuotaPerUnit' ? '500000' : '') },
      ).ModelRatio.defaults.get('house');
    expect(shownOf({})).toBe('1.5');
    expect(shownOf({ from: at.getTime() / 1000 })).toBe('1.5');
    for (const change of [{ group: 'vip' }, { channelId: 1 }, { from: at.getTime() / 1000 + 1 }])
      expect(shownOf(change)).toBeUndefined();
  });

  test('entries are removed by name, and what cannot be read stays', () => {
    expect(withoutRatios('{"a":1,"b":2}', (each) => each === 'a')).toEqual({ text: '{"b":2}', removed: ['a'] });
    expect(withoutRatios('{"a":1.0}', () => false)).toEqual({ text: '{"a":1.0}', removed: [] });
    expect(withoutRatios('{broken', () => true)).toEqual({ text: '{broken', removed: [] });
  });
});
