import { defaultGroup } from '@weir/contract/groups';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { describe, expect, test } from 'vitest';
import { createPriceLists } from './book/price-lists.ts';
import { readShippedBook } from './book/shipped-book.ts';
import { createOwnPriceIndex, type OwnPriceEntry } from './own-price-index.ts';
import type { PriceTableParts } from './price-question.ts';
import { builtInRatios } from './prices.ts';
import { createPriceTable } from './price-table.ts';
import { multiply, ratio, ratioToText } from './ratio.ts';

const none = { modelRatio: '', completionRatio: '', groupRatio: '', partRatio: '' };
const monday = Date.UTC(2026, 10, 23, 12);

const shipped = createPriceLists(readShippedBook());
const tableOf = (parts: Partial<PriceTableParts> = {}) =>
  createPriceTable({
    version: 1,
    operator: none,
    builtIn: builtInRatios,
    lists: shipped,
    own: createOwnPriceIndex([]),
    unitsPerDollar: ratio(500_000n, 1n),
    unpriced: 'refuse',
    madeAtMs: monday,
    ...parts,
  });

/** Source and dollars for a million prompt tokens; `refused` in place of them. */
const found = (table: ReturnType<typeof tableOf>, model: string, channelType = 8, more = {}) => {
  const price = table.price({ model, channelType, group: defaultGroup, ...more });
  if (price.refused) return 'refused';
  const { source, vendor } = price.origin;
  const dollars = ratioToText(multiply(price.model, ratio(2n, 1n)));
  return `${[source, vendor].filter((part) => part !== undefined).join(' ')} ${dollars}`;
};

const card = (input: string, output = input): PriceCard => ({ rates: { input, output } });
const own = (price: string, scope: Partial<OwnPriceEntry> = {}): OwnPriceEntry => ({
  model: 'gpt-4.1',
  group: '',
  channelId: 0,
  from: 0,
  card: card(price),
  ...scope,
});

describe('the order in which a price is looked for', () => {
  test('R5 ratio, own price of group and channel, group, channel, all; vendor; maker; built-in; then the option', () => {
    const operator = { ...none, modelRatio: '{"gpt-4.1":99}' };
    const owns = [
      own('50', { group: defaultGroup, channelId: 7 }),
      own('40', { group: defaultGroup }),
      own('30', { channelId: 7 }),
      own('20'),
    ];
    const ask = (parts: Partial<PriceTableParts>, channelId = 7) => found(tableOf(parts), 'gpt-4.1', 3, { channelId });
    expect(ask({ operator, own: createOwnPriceIndex(owns) })).toBe('ratio 198');
    for (const [index, expected] of ['own 50', 'own 40', 'own 30', 'own 20'].entries())
      for (const prices of [owns.slice(index), owns.slice(index).toReversed()])
        expect(ask({ own: createOwnPriceIndex(prices) })).toBe(expected);
    expect(ask({ own: createOwnPriceIndex(owns.slice(2)) }, 8)).toBe('own 20');
    expect(ask({})).toBe('vendor azure 2');
    expect(found(tableOf(), 'gpt-4.1', 8)).toBe('maker openai 2');
    expect(found(tableOf(), 'ERNIE-4.0-8K')).toMatch(/^built_in /);
    expect(found(tableOf({ lists: null }), 'gpt-4o', 8)).toBe('built_in 5');
    expect(found(tableOf(), 'unknown-model')).toBe('refused');
    expect(found(tableOf({ unpriced: 'fallback' }), 'unknown-model')).toBe('fallback 60');
    expect(found(tableOf({ unpriced: 'free' }), 'unknown-model')).toBe('free 0');
    for (const unpriced of ['fallback', 'free', 'refuse'] as const) {
      const question = { model: 'unknown-model', channelType: 8, group: defaultGroup };
      expect(tableOf({ unpriced }).price(question).modelKnown).toBe(false);
    }
  });

  test('the latest own price that has come counts, those of others never', () => {
    const at = monday / 1000;
    const index = createOwnPriceIndex([
      own('1', { from: at - 10 }),
      own('2', { from: at }),
      own('3', { from: at + 1 }),
      own('4', { group: 'vip' }),
      own('5', { channelId: 9 }),
      own('6', { model: 'gpt-4.1-mini' }),
    ]);
    expect(found(tableOf({ own: index }), 'gpt-4.1')).toBe('own 2');
    expect(found(tableOf({ own: index, madeAtMs: monday - 1000 }), 'gpt-4.1')).toBe('own 1');
    expect(found(tableOf({ own: index, madeAtMs: monday + 1000 }), 'gpt-4.1')).toBe('own 3');
    const { origin } = tableOf({ own: index }).price({ model: 'gpt-4.1', channelType: 8, group: defaultGroup });
    expect(origin).toEqual({ source: 'own', from: '2026-11-23' });
    const always = tableOf({ own: createOwnPriceIndex([own('1')]) });
    expect(always.price({ model: 'gpt-4.1', channelType: 8, group: defaultGroup }).origin).toEqual({ source: 'own' });
    expect(index.nextChange(at)).toBe(at + 1);
    expect(index.nextChange(at - 1)).toBe(at);
    expect(index.nextChange(at + 1)).toBe(Infinity);
    expect([0, 7, 9].map(index.hasChannel)).toEqual([false, false, true]);
  });

  test('a price of a group is what the group pays, all others are times the ratio of the group', () => {
    const groups = { ...none, groupRatio: '{"vip":0.5}' };
    const table = (prices: readonly OwnPriceEntry[]) => tableOf({ operator: groups, own: createOwnPriceIndex(prices) });
    const units = (prices: readonly OwnPriceEntry[], group: string) =>
      table(prices).price({ model: 'gpt-4.1', channelType: 8, group }).quota({ prompt: 1000, completion: 0 });
    expect(units([own('4')], 'vip')).toBe(1000);
    expect(units([own('4', { group: 'vip' })], 'vip')).toBe(2000);
    expect(units([], 'vip')).toBe(500);
    expect(units([], 'unnamed')).toBe(1000);
    expect(table([]).price({ model: 'gpt-4.1', channelType: 8, group: 'unnamed' }).groupKnown).toBe(false);
    expect(table([own('4', { group: 'x' })]).price({ model: 'gpt-4.1', channelType: 8, group: 'x' }).groupKnown).toBe(
      true,
    );
  });

  test('ratios of completion and of parts take the place of those of a list, never of an own price', () => {
    const operator = { ...none, completionRatio: '{"gpt-4.1":10}', partRatio: '{"gpt-4.1:cache_read":0.5}' };
    const quota = (parts: Partial<PriceTableParts>) =>
      tableOf(parts)
        .price({ model: 'gpt-4.1', channelType: 1, group: defaultGroup })
        .quota({ prompt: 1000, completion: 100, parts: { cache_read: 400 } });
    expect(quota({})).toBe(600 + 400 * 0.25 + 100 * 4);
    expect(quota({ operator })).toBe(600 + 400 * 0.5 + 100 * 10);
    expect(quota({ operator, own: createOwnPriceIndex([own('2')]) })).toBe(1000 + 100);
    // A ratio of the model alone keeps the relations of the list.
    expect(quota({ operator: { ...none, modelRatio: '{"gpt-4.1":2}' } })).toBe(2 * (600 + 400 * 0.25 + 100 * 4));
    expect(quota({ operator: { ...none, partRatio: '{}' } })).toBe(600 + 400 * 0.25 + 100 * 4);
    // Without a list, those that come with the program.
    const builtIn = { ...builtInRatios, partRatio: '{"gpt-4.1:cache_read":0.75}' };
    const alone = {
      lists: null,
      builtIn,
      operator: { ...none, modelRatio: '{"gpt-4.1":1}', completionRatio: '{"gpt-4.1":4}' },
    };
    expect(quota(alone)).toBe(600 + 400 * 0.75 + 100 * 4);
  });

  test('hours count by the arrival of the call, and the factor and its window are told', () => {
    const windows = [
      { from: '22:00', to: '06:00', factor: '0.5', days: [1] },
      { from: '09:00', to: '10:00', factor: '3' },
    ];
    const priced = { ...card('2'), hours: { zone: 'Asia/Shanghai', windows } };
    const table = tableOf({ own: createOwnPriceIndex([own('2', { card: priced })]) });
    const at = (atMs: number) => {
      const price = table.price({ model: 'gpt-4.1', channelType: 1, group: defaultGroup, atMs });
      const { factor, hours } = price.origin;
      return [price.quota({ prompt: 1000, completion: 0 }), factor, hours];
    };
    // 22:00 in Shanghai is 14:00 in UTC.
    expect(at(Date.UTC(2026, 10, 23, 13, 59, 59))).toEqual([1000, undefined, undefined]);
    expect(at(Date.UTC(2026, 10, 23, 14))).toEqual([500, '0.5', '22:00–06:00 Asia/Shanghai']);
    expect(at(Date.UTC(2026, 10, 23, 21, 59))).toEqual([500, '0.5', '22:00–06:00 Asia/Shanghai']);
    expect(at(Date.UTC(2026, 10, 23, 22))).toEqual([1000, undefined, undefined]);
    // 9:00 and 10:00 in Shanghai: a window ends before its last minute.
    expect(at(Date.UTC(2026, 10, 23, 1))).toEqual([3000, '3', '09:00–10:00 Asia/Shanghai']);
    expect(at(Date.UTC(2026, 10, 23, 1, 59))).toEqual([3000, '3', '09:00–10:00 Asia/Shanghai']);
    expect(at(Date.UTC(2026, 10, 23, 2))).toEqual([1000, undefined, undefined]);
    // The window of Monday ends on Tuesday; none begins then.
    expect(at(Date.UTC(2026, 10, 24, 14))).toEqual([1000, undefined, undefined]);
    expect(at(Date.UTC(2026, 10, 22, 21))).toEqual([1000, undefined, undefined]);
  });
});

describe('the volume of a month', () => {
  const volume = {
    zone: 'Asia/Tokyo',
    steps: [
      { above: 1000, factor: '0.5' },
      { above: 5000, factor: '0.25' },
      { above: 3000, factor: '0.4' },
    ],
  };
  const hours = { zone: 'UTC', windows: [{ from: '12:00', to: '13:00', factor: '2' }] };
  const table = tableOf({
    own: createOwnPriceIndex([
      own('2', { card: { ...card('2'), volume } }),
      own('2', { model: 'gpt-5', card: { ...card('2'), volume, hours } }),
    ]),
  });
  const ask = (tokensBefore: number | undefined, model = 'gpt-4.1') => {
    const more = tokensBefore === undefined ? {} : { tokensBefore };
    return table.price({ model, channelType: 1, group: defaultGroup, atMs: monday, ...more });
  };
  const told = (tokensBefore: number | undefined, model?: string) => {
    const price = ask(tokensBefore, model);
    return [price.quota({ prompt: 1000, completion: 0 }), price.origin.factor, price.origin.volume];
  };

  test('the highest step that the tokens before are above counts, and the hours multiply it', () => {
    expect(told(undefined)).toEqual([1000, undefined, undefined]);
    expect(told(1000)).toEqual([1000, undefined, undefined]);
    expect(told(1001)).toEqual([500, '0.5', 1000]);
    expect(told(3000)).toEqual([500, '0.5', 1000]);
    expect(told(3001)).toEqual([400, '0.4', 3000]);
    expect(told(5001)).toEqual([250, '0.25', 5000]);
    expect(told(1000, 'gpt-5')).toEqual([2000, '2', undefined]);
    expect(told(1001, 'gpt-5')).toEqual([1000, undefined, 1000]);
    expect(told(5001, 'gpt-5')).toEqual([500, '0.5', 5000]);
  });

  test('calls at the same step share one price', () => {
    expect(ask(1001)).toBe(ask(2000));
    expect(ask(1001)).not.toBe(ask(3001));
    expect(ask(3001)).toBe(ask(4000));
  });

  test('its time zone is told where a price depends on it', () => {
    const zone = (of: typeof table, model: string) =>
      of.volumeZone({ model, channelType: 1, group: defaultGroup, atMs: monday });
    expect([zone(table, 'gpt-4.1'), zone(table, 'o3'), zone(tableOf(), 'gpt-4.1')]).toEqual(['Asia/Tokyo', null, null]);
    const priced = { vendor: 'openai', mode: 'chat', from: '2026-01-01' } as const;
    const lists = createPriceLists({
      name: 'test',
      entries: [
        { ...priced, model: 'gpt-4.1', price: { ...card('2'), volume } },
        { ...priced, model: 'o3', price: card('2') },
      ],
    });
    const listed = tableOf({ lists });
    expect([zone(listed, 'gpt-4.1'), zone(listed, 'o3')]).toEqual(['Asia/Tokyo', null]);
  });
});

describe('the names of models', () => {
  test.each([
    // As the list has it, in any case.
    ['gpt-4.1', 'maker openai 2'],
    ['GPT-4.1', 'maker openai 2'],
    ['Claude-Opus-5-5', 'maker anthropic 4'],
    // Dates, `-latest`, versions.
    ['gpt-5-2026-08-07', 'maker openai 1.25'],
    ['claude-opus-5-5-20261010', 'maker anthropic 4'],
    ['claude-opus-5-5-latest', 'maker anthropic 4'],
    ['qwen-max-latest', 'maker alibaba 1.6'],
    ['gemini-2.5-flash-001', 'maker gemini 0.3'],
    // Prefixes of vendors and regions.
    ['openai/gpt-5', 'maker openai 1.25'],
    ['models/gemini-2.5-pro', 'maker gemini 1.25'],
    ['anthropic/claude-opus-5.5', 'maker anthropic 4'],
    ['eu.anthropic.claude-opus-5-5', 'maker anthropic 4'],
    ['global.anthropic.claude-opus-5-5-v1:0', 'maker anthropic 4'],
    ['claude-opus-4-5@20251101', 'maker anthropic 5'],
    // A fine-tuned model costs what its list says of such.
    ['ft:gpt-4.1-2025-04-14:acme::abc123', 'maker openai 3'],
    ['ft:gpt-5:acme::abc123', 'refused'],
    // What is free at one relay is not known here, and not sold at the price of another.
    ['deepseek/deepseek-v4-pro:free', 'refused'],
    ['openai/gpt-5:free', 'refused'],
    // A name is never taken for a shorter one.
    ['gpt-5-foo', 'refused'],
    ['gpt-5x', 'refused'],
    ['my-gpt-5', 'refused'],
    ['gpt-5 ', 'refused'],
    ['gpt-5-latest-foo', 'refused'],
    ['claude-opus-5-5-thinking', 'refused'],
    // A built-in ratio of the very name goes before a list price of the name without its date.
    ['gpt-3.5-turbo-0613', 'built_in 1.5'],
    ['gpt-3.5-turbo', 'maker azure 0.5'],
    ['gemini-pro', 'built_in 0.25'],
    ['o3-mini-2025-01-31', 'built_in 3'],
  ])('R5 %s is %s', (model, expected) => expect(found(tableOf(), model)).toBe(expected));

  test('the operator’s names are exact', () => {
    const table = tableOf({
      operator: { ...none, modelRatio: '{"gpt-4.1":7}' },
      own: createOwnPriceIndex([own('9', { model: 'gpt-5' })]),
    });
    expect(found(table, 'gpt-4.1')).toBe('ratio 14');
    expect(found(table, 'openai/gpt-4.1')).toBe('maker openai 2');
    expect(found(table, 'gpt-5')).toBe('own 9');
    expect(found(table, 'GPT-5')).toBe('maker openai 1.25');
  });

  test('an own price goes before a built-in ratio of the name', () => {
    const table = tableOf({ own: createOwnPriceIndex([own('9', { model: 'gpt-3.5-turbo-0613' })]) });
    expect(found(table, 'gpt-3.5-turbo-0613')).toBe('own 9');
  });

  test('channels without an own price share the price of a model, the others have theirs', () => {
    const table = tableOf({
      own: createOwnPriceIndex([own('20'), own('30', { channelId: 7 }), own('40', { channelId: 9 })]),
    });
    const ask = (channelId: number) => found(table, 'gpt-4.1', 3, { channelId });
    expect([7, 8, 9, 7].map(ask)).toEqual(['own 30', 'own 20', 'own 40', 'own 30']);
    const price = (channelId: number) =>
      table.price({ model: 'gpt-4.1', channelType: 3, group: defaultGroup, channelId });
    expect(price(8)).toBe(price(10));
  });
});
