import type { BookEntry } from '@weir/contract/prices/price-book';
import { describe, expect, test } from 'vitest';
import { createOwnPriceIndex } from './own-price-index.ts';
import type { PriceTableParts } from './price-question.ts';
import { createPriceTable } from './price-table.ts';
import { ratio, ratioToNumber } from './ratio.ts';
import type { RatioTexts } from './ratio-tables.ts';

const defaults: RatioTexts = {
  modelRatio: '{"a":1,"b":2,"b(33)":3,"qwen-max":4,"command-r":5}',
  completionRatio: '{"a":7,"b(33)":8,"qwen-max":9}',
  groupRatio: '{"default":1,"vip":0.5}',
  partRatio: '',
};
const none: RatioTexts = { modelRatio: '', completionRatio: '', groupRatio: '', partRatio: '' };

const tableOf = (options: Partial<RatioTexts>, parts: Partial<PriceTableParts> = {}) =>
  createPriceTable({
    version: 1,
    operator: { ...none, ...options },
    builtIn: defaults,
    lists: null,
    own: createOwnPriceIndex([]),
    unitsPerDollar: ratio(500_000n, 1n),
    unpriced: 'fallback',
    madeAtMs: Date.UTC(2026, 10, 24),
    ...parts,
  });

const priced = (options: Partial<RatioTexts>, model: string, channelType = 1, group = 'default') => {
  const price = tableOf(options).price({ model, channelType, group });
  return [
    ratioToNumber(price.model),
    ratioToNumber(price.completion),
    ratioToNumber(price.group),
    price.modelKnown,
    price.groupKnown,
  ];
};

describe('createPriceTable', () => {
  test('M14 a stored ratio below zero is passed over: no call is sold for one unit because of it', () => {
    expect(priced({ modelRatio: '{"a":-1,"new":-1}' }, 'a')[0]).toBe(1);
    expect(priced({ modelRatio: '{"a":-1,"new":-1}' }, 'new')).toEqual([30, 1, 1, false, true]);
    expect(priced({ groupRatio: '{"vip":-1}' }, 'a', 1, 'vip')).toEqual([1, 7, 1, true, false]);
  });

  test('RELAY-07 looks up the name with the channel type before the name, the options before the defaults', () => {
    expect(priced({}, 'a')).toEqual([1, 7, 1, true, true]);
    expect(priced({}, 'b', 33)).toEqual([3, 8, 1, true, true]);
    expect(priced({ modelRatio: '{"b":9}' }, 'b', 33)[0]).toBe(3);
    expect(priced({ modelRatio: '{"b":9}' }, 'b', 1)[0]).toBe(9);
    expect(priced({ modelRatio: '{"b(33)":10}' }, 'b', 33)[0]).toBe(10);
    expect(priced({ modelRatio: '{"z":0}' }, 'a')[0]).toBe(1);
  });

  test('RELAY-07 a model without a ratio costs 30, a group without a ratio 1, and both are flagged', () => {
    expect(priced({}, 'unpriced', 1, 'unknown')).toEqual([30, 1, 1, false, false]);
    expect(priced({ groupRatio: '{"only":2}' }, 'a', 1, 'vip')).toEqual([1, 7, 1, true, false]);
  });

  test('the -internet suffix is dropped for the families that have it', () => {
    expect(priced({}, 'qwen-max-internet').slice(0, 2)).toEqual([4, 9]);
    expect(priced({}, 'command-r-internet').slice(0, 2)).toEqual([5, 1]);
    expect(priced({}, 'a-internet')[0]).toBe(30);
  });

  test.each([
    ['gpt-3.5-turbo', 3],
    ['gpt-3.5-turbo-0125', 3],
    ['gpt-3.5-turbo-1106', 2],
    ['gpt-3.5-turbo-16k', 4 / 3],
    ['gpt-4o-2024-05-13', 3],
    ['gpt-4o-mini', 4],
    ['gpt-4-turbo', 3],
    ['gpt-4-0125-preview', 3],
    ['gpt-4-32k', 2],
    ['o1-preview', 4],
    ['o3-mini', 1],
    ['chatgpt-4o-latest', 3],
    ['claude-3-opus', 5],
    ['claude-2.1', 3],
    ['mistral-large', 3],
    ['gemini-pro', 3],
    ['deepseek-coder', 2],
    ['llama3-70b-8192', 79 / 59],
    ['mistralai/mixtral-8x7b-instruct-v0.1', 10 / 3],
    ['meta/llama-2-70b', 2.75 / 0.65],
    ['anything', 1],
  ])('RELAY-07 the built-in completion ratio of %s is %f', (model, expected) => {
    expect(priced({}, model)[1]).toBe(expected);
  });

  test('RELAY-07 transcripts cost exactly what their own model does, whatever the session costs', () => {
    const options = { partRatio: '{"b:audio_prompt":3,"a:cache_read":0.5}', modelRatio: '{"free":0}' };
    const table = tableOf(options);
    const query = { channelType: 33, group: 'vip' };
    const ofB = table.price({ model: 'b', ...query });
    const quotaOf = (model: string, transcriber: string) => {
      const parts = { transcript_prompt: 1000, transcript_audio: 200, transcript_completion: 30 };
      return table.price({ model, transcriber, ...query }).quota({ prompt: 1200, completion: 30, parts });
    };
    const alone = ofB.quota({ prompt: 1200, completion: 30, parts: { audio_prompt: 200 } });
    for (const model of ['a', 'qwen-max', 'unknown']) expect(quotaOf(model, 'b')).toBe(alone);
    expect(quotaOf('a', 'unknown')).toBe(table.price({ model: 'a', ...query }).quota({ prompt: 1200, completion: 30 }));
    expect(quotaOf('free', 'b')).toBe(0);
    expect(table.price({ model: 'a', transcriber: 'b', ...query }).parts.cache_read).toEqual({ times: 1n, over: 2n });
  });

  test('prices are remembered until there are 10,000 of them', () => {
    const table = tableOf({});
    const ask = (model: string) => table.price({ model, channelType: 1, group: 'default' });
    const first = ask('first');
    for (let index = 1; index < 10_000; index += 1) ask(`model ${index}`);
    expect(ask('first')).toBe(first);
    ask('one more');
    expect(ask('first')).not.toBe(first);
    expect(ask('first')).toBe(ask('first'));
  });

  test('a listed price is without its multiple by the hour, which is told beside it', () => {
    const hours = { zone: 'UTC', windows: [{ from: '00:00', to: '06:00', factor: '0.5' }] };
    const entry = { model: 'a', group: '', channelId: 0, from: 0, card: { rates: { input: '2', output: '2' }, hours } };
    const table = tableOf({}, { own: createOwnPriceIndex([entry]) });
    const listed = (model: string, hour: number | null) => {
      const at = hour === null ? {} : { atMs: Date.UTC(2026, 10, 24, hour) };
      const { price, card: made, factor } = table.listed({ model, channelType: 1, group: 'default', ...at });
      return [ratioToNumber(price.model), made === undefined, factor];
    };
    expect(listed('a', 5)).toEqual([1, false, '0.5']);
    expect(listed('a', 6)).toEqual([1, false, '1']);
    // The table was made at midnight.
    expect(listed('a', null)).toEqual([1, false, '0.5']);
    expect(listed('b', 5)).toEqual([2, true, '1']);
  });

  test('an unreadable option text counts as empty instead of pricing everything at nothing', () => {
    expect(priced({ modelRatio: '{broken' }, 'a')[0]).toBe(1);
  });
});

describe('costs', () => {
  const card = {
    rates: { input: '2', output: '8', cache_read: '0.5' },
    classes: { batch: { input: '1', output: '4' } },
    hours: { zone: 'UTC', windows: [{ from: '00:00', to: '06:00', factor: '0.5' }] },
  };
  const listed = { vendor: 'openai', mode: 'chat', from: '2026-01-01' } as const;
  const { hours } = card;
  const entries: readonly BookEntry[] = [
    { ...listed, model: 'listed', price: card },
    { ...listed, model: 'free', price: { rates: { input: '0', output: '0' } } },
    { ...listed, model: 'writer', price: { rates: { input: '1', output: '16' } } },
    { ...listed, model: 'timed', price: { units: { second: '0.0001', search: '0.005' }, hours } },
  ];
  const table = tableOf(
    { modelRatio: '{"listed":99}', groupRatio: '{"default":7}' },
    {
      lists: {
        hasVolumes: false,
        ofChannelType: () => undefined,
        ofMaker: (model) => entries.find((entry) => entry.model === model),
      },
    },
  );
  const noon = Date.UTC(2026, 10, 24, 12);
  const ask = { model: 'listed', channelType: 1, factor: ratio(1n, 1n), atMs: noon, unit: 'token' } as const;

  test('a cost is the list price in nano-dollars, whatever ratios the operator sets', () => {
    const tokens = { prompt: 1000, completion: 10, parts: { cache_read: 100 } };
    expect(table.cost(ask)?.quota(tokens)).toBe(900 * 2000 + 100 * 500 + 10 * 8000);
    expect(table.cost({ ...ask, factor: ratio(1n, 3n) })?.quota({ prompt: 1, completion: 0 })).toBe(667);
    expect(table.cost({ ...ask, model: 'unlisted' })).toBeNull();
    expect(table.cost({ ...ask, unit: 'image' })).toBeNull();
    expect(table.cost({ ...ask, model: 'unlisted', factor: ratio(0n, 1n) })?.quota(tokens)).toBe(0);
  });

  test('the service class that the vendor reports and the hour of the call count', () => {
    const tokens = { prompt: 1000, completion: 10 };
    expect(table.cost(ask)?.quota({ ...tokens, serviceClass: 'batch' })).toBe(1000 * 1000 + 10 * 4000);
    const early = table.cost({ ...ask, atMs: Date.UTC(2026, 10, 24, 3) });
    expect(early?.quota(tokens)).toBe(1000 * 1000 + 10 * 4000);
  });

  test('a session whose transcripts have no known cost has none', () => {
    expect(table.cost({ ...ask, transcriber: 'unlisted' })).toBeNull();
    expect(table.cost({ ...ask, transcriber: 'unlisted', factor: ratio(0n, 1n) })).not.toBeNull();
    expect(table.cost({ ...ask, model: 'free', transcriber: 'unlisted' })?.quota({ prompt: 9, completion: 9 })).toBe(0);
  });

  test('transcripts cost what their own model does, by tokens or by seconds', () => {
    const quotaOf = (transcriber: string) =>
      table
        .cost({ ...ask, transcriber })
        ?.quota({ prompt: 1000, completion: 10, parts: { transcript_prompt: 600, transcript_completion: 10 } });
    expect(quotaOf('writer')).toBe(400 * 2000 + 600 * 1000 + 10 * 16_000);
    // 200 tokens are a minute: each is 0.3 s.
    expect(quotaOf('timed')).toBe(400 * 2000 + 600 * 30_000);
  });

  test('a unit costs what the list says, by the hour too', () => {
    const quota = (unit: 'second' | 'search' | 'image' | 'token', hour = 12) =>
      table
        .cost({ ...ask, model: 'timed', unit, atMs: Date.UTC(2026, 10, 24, hour) })
        ?.quota({ prompt: 1000, completion: 0 });
    expect([quota('search'), quota('second'), quota('search', 3)]).toEqual([5_000_000, 30_000_000, 2_500_000]);
    expect([quota('image'), quota('token')]).toEqual([undefined, undefined]);
  });

  test('a cost is of a known model in a known group, whatever its factor', () => {
    for (const factor of [ratio(0n, 1n), ratio(1n, 1n)])
      expect(table.cost({ ...ask, factor })).toMatchObject({ modelKnown: true, groupKnown: true });
  });
});
