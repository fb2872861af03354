import type { PricedModel, PricedModels } from '@weir/contract/prices/own-prices';
import { expect, test } from 'vitest';
import { toCsv } from '../../../lib/format/csv.ts';
import { csvHeader, csvRows, readPrices } from './price-csv.ts';
import { readCsv } from './read-csv.ts';

const now = 1_800_000_000;
const base: PricedModel = {
  model: '@cf/meta/llama',
  maker: '',
  unit: 'token',
  channels: [3],
  current: { source: 'fallback', rates: { input: '60', output: '60' }, ratios: { model: '30', completion: '1' } },
  several: false,
  list: null,
  own: [],
  ratios: null,
};
const tiers = [{ above: 200_000, input: '2.5', output: '15' }];
const listed: PricedModel = {
  ...base,
  model: 'gemini-2.5-pro',
  current: {
    ...base.current,
    source: 'maker',
    vendor: 'gemini',
    rates: { input: '1.25', output: '10' },
    card: { rates: { input: '1.25', output: '10', cache_read: '0.125' }, tiers },
  },
};
const owned: PricedModel = {
  ...base,
  model: '=own, "quoted"',
  current: { ...base.current, source: 'own', rates: { input: '1', output: '2' } },
  own: [
    { group: '', channel: 0, from: now - 100, card: { rates: { input: '1', output: '2' } } },
    { group: 'vip', channel: 3, from: now + 86_400, card: { units: { image: '0.04' } } },
  ],
};
const facts: PricedModels = {
  unpriced: 'refuse',
  quota_per_dollar: '500000',
  groups: [
    { name: 'default', ratio: '1' },
    { name: 'vip', ratio: '0.8' },
  ],
  channels: [{ id: 3, name: 'Local' }],
  models: [base, listed, owned],
};
const known = { facts, now };
const file = (rows: readonly (readonly string[])[], header: readonly string[] = csvHeader) => toCsv(header, rows);

test('an export that is imported again changes nothing, and runs as no formula', () => {
  const text = file(csvRows(facts));
  expect(text).toContain(`'@cf/meta/llama`);
  expect(text).toContain(`"'=own, ""quoted"""`);
  expect(readCsv(text)).toHaveLength(5);
  expect(readPrices(text, known)).toEqual({ errors: [], changes: [], same: 4 });
});

test('an import tells every price that it would change, with the one before', () => {
  const text = 'model;input;output;group\n@cf/meta/llama;0,1;$0.2;\ngemini-2.5-pro;1.250;10.0;vip\n';
  const { errors, changes, same } = readPrices(text, known);
  expect([errors, same]).toEqual([[], 0]);
  expect(changes).toEqual([
    {
      line: 2,
      before: undefined,
      price: {
        model: '@cf/meta/llama',
        group: '',
        channel: 0,
        from: 0,
        card: { rates: { input: '0.1', output: '0.2' } },
      },
    },
    {
      line: 3,
      before: undefined,
      price: {
        model: 'gemini-2.5-pro',
        group: 'vip',
        channel: 0,
        from: 0,
        card: { rates: { input: '1.250', output: '10.0' } },
      },
    },
  ]);
  const dearer = readPrices('model,input,output\n"=own, ""quoted""",3,2', known).changes;
  expect(dearer).toMatchObject([
    { before: { rates: { input: '1', output: '2' } }, price: { card: { rates: { input: '3' } } } },
  ]);
});

test('each wrong cell is named with its line, lines in quotes counted', () => {
  const text = file([
    ['m\nn', '', '', '', '1', '1'],
    ['', '', '', '', '1', '1'],
    ['a', 'nobody', 'three', 'soon', 'ten', '1'],
    ['b', '', '', '', '', '1'],
    ['c', '', '', '', '1', '1', ...Array.from({ length: csvHeader.length - 7 }, () => ''), '{'],
    ['d', '', '', '', '1'],
    ['d', '', '', '', '2'],
  ]);
  expect(readPrices(text, known).errors.map(({ line, column, fault }) => `${line} ${column} ${fault}`)).toEqual([
    '4 model no_model',
    '5 input amount',
    '5 group group',
    '5 channel channel',
    '5 from from',
    '6 input no_price',
    '7 more more',
    '9 model twice',
  ]);
  expect(readPrices('name,cost\na,1', known).errors).toEqual([{ line: 1, column: 'model', fault: 'no_header' }]);
  expect(readPrices('', known).errors).toHaveLength(1);
});
