import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import defaults from './default-ratios.json' with { type: 'json' };
import { createPrice } from './price.ts';
import { parseRatioTable, ratio, ratioToNumber, type Ratio } from './ratio.ts';
import { arePartRatios, acceptParts, partRatiosOf, readPartRatios, type PartTokens } from './usage-parts.ts';

const tableOf = (table: object): ReadonlyMap<string, Ratio> => parseRatioTable(JSON.stringify(table)) ?? new Map();
const sides = { prompt: 100, completion: 50 };

describe('acceptParts', () => {
  test('RELAY-07 takes whole numbers that fit into their side', () => {
    const reported = { cacheRead: 60, cacheWrite: 30, cacheWriteLong: 10, reasoning: 50, audioPrompt: 0 };
    expect(acceptParts(reported, sides)).toEqual({
      cache_read: 60,
      cache_write: 30,
      cache_write_1h: 10,
      reasoning: 50,
    });
  });

  test.each([
    { cacheRead: 60, cacheWrite: 41 },
    { cacheRead: -1 },
    { cacheRead: 1.5 },
    { cacheRead: '5' },
    { cacheRead: Number.NaN },
    { cacheRead: 2 ** 60 },
    { cacheRead: {} },
  ])('RELAY-07 believes no part of a prompt in %j', (reported) => {
    expect(acceptParts({ ...reported, reasoning: 7 }, sides)).toEqual({ reasoning: 7 });
  });

  test('RELAY-07 believes no part of a side that was counted here', () => {
    const reported = { cacheRead: 5, reasoning: 7 };
    expect(acceptParts(reported, { prompt: null, completion: 50 })).toEqual({ reasoning: 7 });
    expect(acceptParts(reported, { prompt: 100, completion: null })).toEqual({ cache_read: 5 });
    expect(acceptParts(undefined, sides)).toEqual({});
  });
});

describe('partRatiosOf', () => {
  test('RELAY-07 the name itself counts before the longest beginning of it, part by part', () => {
    const entries = Object.entries({
      '*:cache_read': 0.9,
      'claude-*:cache_read': 0.1,
      'claude-opus-*:cache_read': 0.05,
      'claude-opus-5:cache_read': 0.07,
      'claude-*:cache_write': 1.25,
      'claude-*:nonsense': 7,
    });
    // The order in which an administrator wrote them says nothing.
    for (const written of [entries, entries.toReversed()]) {
      const table = tableOf(Object.fromEntries(written));
      const ratios = (model: string) =>
        Object.fromEntries(
          Object.entries(partRatiosOf(table, model)).map(([part, value]) => [part, ratioToNumber(value)]),
        );
      expect(ratios('claude-opus-5')).toEqual({ cache_read: 0.07, cache_write: 1.25 });
      expect(ratios('claude-opus-4')).toEqual({ cache_read: 0.05, cache_write: 1.25 });
      expect(ratios('claude-3')).toEqual({ cache_read: 0.1, cache_write: 1.25 });
      expect(ratios('gpt-4o')).toEqual({ cache_read: 0.9 });
    }
  });

  test('M16 the part ratios of a log row are read back exactly, and what is none of them changes no charge', () => {
    const texts = { cache_read: '0.1', reasoning: '1/3', transcript_prompt: '2', cached: '7', audio_prompt: 'much' };
    expect(readPartRatios(texts)).toEqual({
      cache_read: ratio(1n, 10n),
      reasoning: ratio(1n, 3n),
      transcript_prompt: ratio(2n, 1n),
    });
  });

  test('OPT-PartRatio knows which tables it can read', () => {
    expect(arePartRatios(tableOf({ 'a:cache_read': 0.5, 'b:c*:reasoning': 4, '*:audio_prompt': 0 }))).toBe(true);
    for (const key of ['a', 'a:', 'a:cached', ':cache_read'])
      expect(arePartRatios(tableOf({ [key]: 1 })), key).toBe(false);
    expect(arePartRatios(tableOf({ 'a:cache_read': -1 }))).toBe(false);
  });
});

const small = fc.integer({ min: 0, max: 1000 });
const weight = fc.tuple(small, fc.integer({ min: 1, max: 100 })).map(([a, b]) => ratio(BigInt(a), BigInt(b)));

test('RELAY-07 a price with parts is the exact sum of each part at its own ratio, rounded up once', () => {
  fc.assert(
    fc.property(
      fc.record({ model: weight, completion: weight, group: weight, read: weight, reasoning: weight }),
      fc.record({ fresh: small, read: small, said: small, thought: small }),
      (ratios, tokens) => {
        const { model, completion, group, read, reasoning } = ratios;
        const price = createPrice({
          version: 1,
          model,
          completion,
          group,
          modelKnown: true,
          groupKnown: true,
          parts: { cache_read: read, reasoning },
        });
        const parts: PartTokens = { cache_read: tokens.read, reasoning: tokens.thought };
        const prompt = tokens.fresh + tokens.read;
        const out = tokens.said + tokens.thought;
        // Over one common denominator, in integers alone.
        const over = model.over * group.over * completion.over * read.over * reasoning.over;
        const rate = model.times * group.times;
        const input =
          (BigInt(tokens.fresh) * read.over + BigInt(tokens.read) * read.times) * completion.over * reasoning.over;
        const output =
          (BigInt(tokens.said) * reasoning.over + BigInt(tokens.thought) * reasoning.times) *
          completion.times *
          read.over;
        const sum = rate * (input + output);
        const exact = Number(sum / over + (sum % over > 0n ? 1n : 0n));
        const expected = rate === 0n || prompt + out === 0 ? 0 : Math.max(1, exact);
        expect(price.quota({ prompt, completion: out, parts })).toBe(expected);
      },
    ),
  );
});

test('RELAY-07 the defaults price the parts of models that are known, the longest name first', () => {
  const table = tableOf(defaults.part_ratio);
  expect(arePartRatios(table)).toBe(true);
  const of = (model: string) =>
    Object.fromEntries(Object.entries(partRatiosOf(table, model)).map(([part, value]) => [part, ratioToNumber(value)]));
  expect(of('claude-sonnet-4-5')).toEqual({ cache_read: 0.1, cache_write: 1.25, cache_write_1h: 2 });
  expect(of('claude-opus-5-5')).toMatchObject({ cache_read: 0.05, cache_write: 1.25 });
  expect([of('o3'), of('o3-mini'), of('gpt-4o-mini')]).toEqual([
    { cache_read: 0.25 },
    { cache_read: 0.5 },
    { cache_read: 0.5 },
  ]);
  expect(of('gpt-realtime-2')).toEqual({
    audio_prompt: 8,
    audio_completion: 2.6667,
    cache_read: 0.1,
    image_prompt: 1.25,
  });
  expect(of('unknown-model')).toEqual({});
});
