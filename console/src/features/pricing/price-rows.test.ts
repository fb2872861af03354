import { expect, test } from 'vitest';
import type { ModelPrice } from '@weir/contract/prices/pricing';
import { promptParts } from '@weir/contract/prices/usage-parts';
import { costOf, flipCompared, partOf, partsIn, toRows } from './price-rows.ts';

const price = (input: number, output: number, parts: ModelPrice['parts'] = []): ModelPrice => ({
  input,
  output,
  parts,
  ratios: { model: '1', completion: '1', group: '1' },
  priced: true,
});
const cached = price(500_000, 1_500_000, [{ part: 'cache_read', quota: 50_000 }]);
const model = { model: 'a', maker: 'openai', unit: 'token', channels: 2 } as const;

test('a model is listed with its cheapest price, one without a price is not listed', () => {
  const rows = toRows({
    group: 'default',
    unpriced: 'fallback',
    models: [
      { ...model, sent: ['a'], prices: [] },
      { ...model, sent: ['a'], prices: [cached, price(9e6, 9e6)] },
    ],
  });
  expect(rows).toMatchObject([{ model: 'a', maker: 'openai', price: { input: 500_000 } }]);
  expect(partsIn(rows, promptParts)).toEqual(['cache_read']);
  expect(partOf(cached, 'cache_read')).toBe(50_000);
  expect(partOf(cached, 'cache_write')).toBe(500_000);
  expect(partOf(cached, 'reasoning')).toBe(1_500_000);
});

test('models without a price come first for those who can set one, else in their order', () => {
  const models = [
    { ...model, sent: ['a'], prices: [cached] },
    { ...model, sent: ['b'], model: 'b', prices: [cached, { ...cached, priced: false }] },
  ];
  expect(toRows({ group: 'default', unpriced: 'refuse', models }, true).map((row) => row.model)).toEqual(['b', 'a']);
  expect(toRows({ group: 'default', unpriced: 'refuse', models }).map((row) => row.model)).toEqual(['a', 'b']);
});

test.each([
  ['token', 1000, 100, 3, 3 * 650],
  ['token', 1, 0, 2, 2],
  ['token', 0, 0, 5, 0],
  ['image', 77, 77, 2, 2 * 500],
  ['character', 1000, 77, 1, 500],
] as const)('%s: %d in and %d out, %d times, cost %d', (unit, input, output, requests, cost) => {
  expect(costOf({ unit }, cached, { input, output, requests })).toBe(cost);
});

test('the comparison holds four models, the last ones', () => {
  expect(flipCompared([], 'a')).toBe('a');
  expect(flipCompared(['a'], 'a')).toBeUndefined();
  expect(flipCompared(['a', 'b', 'c', 'd'], 'e')).toBe('b,c,d,e');
});

test('the cost is that of the tier, of the hour, and of a piece', () => {
  const tiered: ModelPrice = {
    ...cached,
    tiers: [
      { above: 1000, input: 1_000_000, output: 2_000_000, parts: [] },
      { above: 5000, input: 4_000_000, output: 2_000_000, parts: [] },
    ],
  };
  const cost = (input: number, more: Partial<ModelPrice> = {}) =>
    costOf({ unit: 'token' }, { ...tiered, ...more }, { input, output: 0, requests: 1 });
  expect([cost(1000), cost(1001), cost(5001)]).toEqual([500, 1001, 20_004]);
  expect(cost(1001, { factor: '0.5' })).toBe(501);
  const piece: ModelPrice = { ...price(9, 0), by_piece: true, units: { search: 4000.5 } };
  expect(costOf({ unit: 'token' }, piece, { input: 7, output: 7, requests: 2 })).toBe(8002);
  const speech: ModelPrice = { ...price(7_500_000, 0), by_piece: true, units: { character: 7.5 } };
  expect(costOf({ unit: 'token' }, speech, { input: 10, output: 7, requests: 1 })).toBe(75);
});
