import type { PricedModel, PricedModels } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
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
  const text = file(csvRows(facts, now));
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

/** A generator of whole numbers below a bound, the same for a seed. */
const numbersOf = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

test('any prices that are exported and imported come back as they were, 500 tables', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const number = numbersOf(seed);
    const maybe = <Value>(make: () => Value): Value | undefined => (number(2) === 0 ? undefined : make());
    const amount = (): string => {
      const decimals = number(3) === 0 ? '' : `.${String(number(1e9)).padStart(9, '0')}${number(9) + 1}`;
      return `${number(5) === 0 ? 999_999_999 : number(50)}${decimals}`;
    };
    const rates = () => ({ input: `1${amount().slice(0, 8)}`, output: `1${amount().slice(0, 8)}` });
    const some = <Made extends object>(made: Made): Partial<Made> =>
      // oxlint-disable-next-line typescript/consistent-type-assertions -- members that are undefined are left out
      JSON.parse(JSON.stringify(made)) as Partial<Made>;
    const randomCard = (): PriceCard => {
      const more = some({
        tiers: maybe(() => [{ above: 1 + number(1e6), input: amount(), output: `1${amount().slice(0, 8)}` }]),
        classes: maybe(() => ({ batch: { input: amount() }, flex: {} })),
        hours: maybe(() => ({
          zone: 'Asia/Shanghai',
          windows: [{ days: [1 + number(7)], from: '00:30', to: '24:00', factor: '0.25' }],
        })),
        volume: maybe(() => ({ zone: 'UTC', steps: [{ above: 1 + number(1e12), factor: '0.9' }] })),
      });
      const units = maybe(() => some({ image: maybe(amount), search: amount(), second: maybe(amount) }));
      const parts = some({ cache_read: maybe(amount), audio_prompt: maybe(amount), reasoning: maybe(amount) });
      return number(4) === 0
        ? { units: { character: amount() }, ...more }
        : { rates: { ...rates(), ...parts }, ...(units && { units }), ...more };
    };
    const signs = ['a', '=', '+', '-', '@', "'", '"', ',', ';', '\n', '模', ' ', '\t'];
    const models = Array.from({ length: 1 + number(4) }, (_, index): PricedModel => {
      const name = Array.from({ length: 1 + number(6) }, () => signs[number(signs.length)]).join('');
      return {
        ...base,
        model: `${name}${index}`.trim(),
        own: Array.from({ length: 1 + number(3) }, (__, at) => ({
          group: at === 0 ? '' : 'vip',
          channel: at === 0 ? 0 : 3,
          from: now + (at - 1) * 1000 * (1 + number(9)),
          card: randomCard(),
        })),
      };
    });
    const all = { facts: { ...facts, models }, now };
    const text = file(csvRows(all.facts, now));
    const rows = models.flatMap(({ own }) => own).length;
    expect(readPrices(text, all), `seed ${seed}`).toEqual({ errors: [], changes: [], same: rows });
    // Into a gateway without these prices: the same ones.
    const { errors, changes } = readPrices(text, known);
    expect(errors).toEqual([]);
    expect(changes.map(({ price }) => [price.model, price.group, price.channel, price.card])).toEqual(
      models.flatMap(({ model, own }) => own.map(({ group, channel, card }) => [model, group, channel, card])),
    );
  }
});

test('an own price of one channel alone is not taken for the price of all', () => {
  const ofChannel = [{ group: '', channel: 3, from: now - 5, card: { rates: { input: '1', output: '1' } } }];
  const model: PricedModel = { ...owned, model: 'm', own: ofChannel };
  const all = { facts: { ...facts, models: [model] }, now };
  expect(csvRows(all.facts, now)).toHaveLength(2);
  expect(readPrices(file(csvRows(all.facts, now)), all)).toEqual({ errors: [], changes: [], same: 2 });
  expect(readPrices('model,input,output\nm,1,1', all).changes).toHaveLength(1);
});

test('a price that took the place of another is exported alone, and one of a day that has come is from now on', () => {
  const own = [3, 2, 1].map((amount) => ({
    group: '',
    channel: 0,
    from: now - amount,
    card: { rates: { input: String(amount), output: '1' } },
  }));
  const all = { facts: { ...facts, models: [{ ...owned, model: 'm', own }] }, now };
  const text = file(csvRows(all.facts, now));
  expect(readPrices(text, all)).toEqual({ errors: [], changes: [], same: 1 });
  expect(readPrices(text.replace(',1,1,', ',5,1,'), all).changes).toMatchObject([
    { price: { from: 0, card: { rates: { input: '5' } } }, before: { rates: { input: '1' } } },
  ]);
});

test('columns twice, long names, parts of a free side and other JSON are refused, and more than 10,000 lines', () => {
  const errorsOf = (text: string) =>
    readPrices(text, known).errors.map(({ line, column, fault }) => `${line} ${column} ${fault}`);
  expect(errorsOf('model,input,input\na,1,1')).toEqual(['1 input column_twice']);
  expect(errorsOf(`model,input\n${'x'.repeat(201)},1`)).toEqual(['2 model too_long']);
  expect(errorsOf('model,input,output,reasoning,cache_read\na,0,0,1,1\nb,0,1,1,1')).toEqual([
    '2 reasoning free_side',
    '2 cache_read free_side',
  ]);
  const more = (value: unknown) => file([['a', '1', JSON.stringify(value)]], ['model', 'input', 'more']);
  for (const value of [
    [],
    { tiers: 5 },
    { tiers: [{ above: 0 }] },
    { tiers: [{ above: 1, input: 2 }] },
    { classes: { slow: {} } },
    { hours: { zone: 'Nowhere', windows: [] } },
    { hours: { zone: 'UTC', windows: [{ days: [], from: '00:00', to: '01:00', factor: '1' }] } },
    { volume: { zone: 'UTC', steps: [{ above: 1, factor: 1 }] } },
    { other: 1 },
  ])
    expect(errorsOf(more(value)), JSON.stringify(value)).toEqual(['2 more more']);
  expect(errorsOf(more({ tiers: [{ above: 1, input: '2' }], classes: { flex: { output: '1' } } }))).toEqual([]);
  expect(errorsOf(`model,input\n${'a,x\n'.repeat(10_000)}`)).toHaveLength(19_999);
  expect(errorsOf(`model,input\n${'a,x\n'.repeat(10_001)}`)).toEqual(['10002 model lines']);
});
