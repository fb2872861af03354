import type { PricedModel } from '@weir/contract/prices/own-prices';
import { expect, test } from 'vitest';
import { massPrices } from './mass-change.ts';

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
const models: PricedModel[] = [
  { ...base, channels: [], own: [], model: 'g', list },
  { ...base, channels: [], own: [], model: 'local', list: null },
];

test('a factor multiplies every amount of the list price exactly, and no multiple or bound', () => {
  expect(massPrices(models, { kind: 'factor', factor: { times: 12n, over: 10n } })).toEqual({
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
  expect(massPrices(models, { kind: 'free' })).toEqual({
    prices: [
      { model: 'g', card },
      { model: 'local', card },
    ],
    without: [],
  });
});
