import type { PricedModel } from '@weir/contract/prices/own-prices';
import { expect, test } from 'vitest';
import { massPrices, readPercent } from './mass-change.ts';

const list = {
  vendor: 'gemini',
  model: 'g',
  from: '2026-01-01',
  card: {
    rates: { input: '0.1', output: '3', cache_read: '0.025' },
    tiers: [{ above: 200_000, input: '0.2' }],
    classes: { batch: { input: '0.05' } },
    units: { search: '0.01' },
    hours: { zone: 'UTC', windows: [{ from: '00:00', to: '08:00', factor: '0.5' }] },
  },
};
const base = {
  maker: '',
  unit: 'token',
  channels: [],
  current: { source: 'maker', rates: { input: '1', output: '1' }, ratios: { model: '1', completion: '1' } },
  several: false,
  own: [],
  ratios: null,
} as const;
const now = 1_800_000_000;
const models: PricedModel[] = [
  { ...base, channels: [], own: [], model: 'g', list },
  { ...base, channels: [], own: [], model: 'local', list: null },
];

test('a factor multiplies every amount of the list price exactly, and no multiple or bound', () => {
  expect(massPrices(models, { kind: 'factor', factor: { times: 12n, over: 10n } }, now)).toEqual({
    prices: [
      {
        model: 'g',
        card: {
          rates: { input: '0.12', output: '3.6', cache_read: '0.03' },
          tiers: [{ above: 200_000, input: '0.24' }],
          classes: { batch: { input: '0.06' } },
          units: { search: '0.012' },
          hours: list.card.hours,
        },
      },
    ],
    without: ['local'],
  });
});

test('free is for every model', () => {
  const card = { rates: { input: '0', output: '0' } };
  expect(massPrices(models, { kind: 'free' }, now)).toEqual({
    prices: [
      { model: 'g', card },
      { model: 'local', card },
    ],
    without: [],
  });
});

test('percent are of what counts now for everybody: a ratio, the own price, the list price, the built-in ratio', () => {
  const of = (change: object): PricedModel => ({ ...base, channels: [], own: [], model: 'm', list, ...change });
  const rated = (source: 'ratio' | 'built_in' | 'fallback') => ({
    current: { ...base.current, source, rates: { input: '1/3', output: '2' } },
  });
  const own = (input: string, more = {}) => ({
    group: '',
    channel: 0,
    from: 1,
    card: { rates: { input, output: '4' } },
    ...more,
  });
  const owned = { current: { ...base.current, source: 'own' as const } };
  const all = [
    of({ ...rated('ratio'), ratios: { model: '1', parts: {} }, own: [own('9')] }),
    of({ ...owned, own: [own('1'), own('2', { from: 2 }), own('3', { from: now + 1 })] }),
    of({ ...owned, own: [own('7', { channel: 3 })] }),
    of({}),
    of(rated('built_in')),
    of(rated('fallback')),
  ];
  const { prices, without } = massPrices(all, { kind: 'percent', factor: { times: 11n, over: 10n } }, now);
  expect(prices.map(({ card }) => [card.rates?.input, card.rates?.output])).toEqual([
    ['0.3666666666674', '2.2'],
    ['2.2', '4.4'],
    ['0.11', '3.3'],
    ['0.11', '3.3'],
    ['0.3666666666674', '2.2'],
  ]);
  expect(without).toEqual(['m']);
  expect(massPrices(all, { kind: 'set', card: own('5').card }, now).prices).toHaveLength(6);
});

test.each([
  ['20', 1.2],
  ['+5,5 %', 1.055],
  ['-10%', 0.9],
  ['−100', 0],
  ['0', 1],
  ['-101', undefined],
  ['ten', undefined],
  ['', undefined],
  ['1e3', undefined],
])('%j percent is a multiple of %s', (typed, expected) => {
  const factor = readPercent(typed);
  expect(factor && Number(factor.times) / Number(factor.over)).toBe(expected);
});
