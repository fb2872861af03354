import type { PriceCard } from '@weir/contract/prices/price-book';
import { expect, test } from 'vitest';
import { blankDraft, draftOf, draftOfRates, readDraft } from './price-draft.ts';

const full: PriceCard = {
  rates: { input: '1.25', output: '10', cache_read: '0.125', reasoning: '12' },
  units: { search: '0.01' },
  tiers: [{ above: 200_000, input: '2.5', output: '15' }],
  hours: { zone: 'Asia/Shanghai', windows: [{ days: [1, 2], from: '00:30', to: '08:30', factor: '0.5' }] },
  volume: { zone: 'UTC', steps: [{ above: 1_000_000, factor: '0.9' }] },
  classes: { batch: { input: '0.6', output: '5' } },
};

test('a card that is opened and saved again is the same', () => {
  expect(readDraft(draftOf(full))).toEqual({ card: full, problems: new Set() });
  const perImage: PriceCard = { units: { image: '0.04' } };
  expect(readDraft(draftOf(perImage))).toEqual({ card: perImage, problems: new Set() });
});

test('a price of nothing is free, and free is a price of nothing', () => {
  const free: PriceCard = { rates: { input: '0', output: '0.00' } };
  expect(draftOf(free)).toMatchObject({ free: true, rates: {} });
  expect(readDraft({ ...draftOf(full), free: true }).card).toEqual({ rates: { input: '0', output: '0' } });
});

test('amounts are read as people type them, and an empty output costs nothing', () => {
  expect(readDraft({ ...blankDraft, rates: { input: '$0,13', cache_read: ' ' } })).toEqual({
    card: { rates: { input: '0.13', output: '0' } },
    problems: new Set(),
  });
});

test('what cannot be read is named by its field', () => {
  const draft = {
    ...blankDraft,
    rates: { input: 'ten', output: '1' },
    units: { image: '-1' },
    tiers: [{ above: '0', rates: {} }],
    zone: 'Nowhere/Town',
    windows: [{ days: [], from: '8', to: '25:00', factor: 'half' }],
    volumeZone: '',
    steps: [{ above: '1.5', factor: '-1' }],
  };
  expect([...readDraft(draft).problems].toSorted()).toEqual([
    'image',
    'input',
    'steps.0.above',
    'steps.0.factor',
    'tiers.0.above',
    'tiers.0.input',
    'volumeZone',
    'windows.0.factor',
    'windows.0.from',
    'windows.0.to',
    'zone',
  ]);
  expect(readDraft(blankDraft).problems).toEqual(new Set(['input']));
  expect(readDraft({ ...blankDraft, rates: { output: '1' } }).problems).toEqual(new Set(['input']));
});

test('rates of ratios become amounts that can be typed', () => {
  expect(draftOfRates({ input: '2/3', output: '10', cache_read: '0.5' }).rates).toEqual({
    input: '0.666666666667',
    output: '10',
    cache_read: '0.5',
  });
});

test('a part has no price of its own where its side is free, but cached input beside a free prompt has', () => {
  const problems = (rates: object) => [...readDraft({ ...blankDraft, rates }).problems];
  expect(problems({ input: '0', output: '2', cache_read: '0.5' })).toEqual([]);
  expect(problems({ input: '1', output: '0', reasoning: '0.5' })).toEqual(['reasoning']);
  expect(problems({ input: '0', cache_read: '0.5', reasoning: '0' })).toEqual(['cache_read']);
  expect(problems({ input: '1', cache_read: '0.5' })).toEqual([]);
});
