import { type PriceCard, priceCardSchema, serviceClasses } from '@weir/contract/prices/price-book';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { cardQuota, type OracleTerms, type UsedTokens } from '../../../test/oracles/card-oracle.ts';
import vectors from '../../../test/oracles/card-vectors.json' with { type: 'json' };
import { quotaByCard } from '../../../test/oracles/quota-by-card.ts';
import { cardPrice } from './card-prices.ts';
import { one, ratio } from './ratio.ts';

const text = (value: unknown) => JSON.stringify(value);
const readCard = (value: unknown): PriceCard => v.parse(priceCardSchema, value);

/** Checked before; the zone of a card takes some 100 µs to check. */
const stored = v.custom<PriceCard>(() => true);
const count = v.number();
const usageSchema = v.object({
  prompt: count,
  completion: count,
  parts: v.exactOptional(v.record(v.string(), count)),
  serviceClass: v.exactOptional(v.picklist(serviceClasses)),
});
const vectorSchema = v.tuple([
  v.unknown(),
  v.object({ unitsPerDollar: v.string(), group: v.string(), atMs: count }),
  usageSchema,
  count,
]);

const dollars = fc
  .record({ whole: fc.constantFrom(0, 0, 3, 12, 100_000), places: fc.nat(15), digits: fc.nat(999_999_999) })
  .map(({ whole, places, digits }) => {
    if (digits % 10 === 0) return '0';
    return places === 0 ? String(whole) : `${whole}.${String(digits).padStart(places, '0').slice(0, places)}`;
  });
const partNames = [
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_prompt',
  'image_prompt',
  'reasoning',
  'audio_completion',
  'image_completion',
] as const;
const parts = Object.fromEntries(partNames.map((part) => [part, dollars]));
const changed = fc.record({ input: dollars, output: dollars, ...parts }, { requiredKeys: [] });
const clock = fc
  .record({ hour: fc.nat(23), minute: fc.constantFrom(0, 1, 30, 59) })
  .map(({ hour, minute }) => [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'));
const hours = fc.record({
  zone: fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu'),
  windows: fc.array(
    fc.record(
      {
        days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        from: clock,
        to: fc.oneof(clock, fc.constant('24:00')),
        factor: fc.constantFrom('0', '0.5', '0.25', '2', '1.333333'),
      },
      { requiredKeys: ['from', 'to', 'factor'] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});
const above = fc.constantFrom(1, 10, 1000, 128_000, 200_000, 272_000);
const tiers = fc
  .uniqueArray(above, { minLength: 1, maxLength: 3 })
  .chain((bounds) => fc.tuple(...bounds.map((bound) => changed.map((rates) => ({ above: bound, ...rates })))));
const withRates = fc.record(
  {
    rates: fc.record({ input: dollars, output: dollars, ...parts }, { requiredKeys: ['input', 'output'] }),
    tiers,
    classes: fc.record({ batch: changed, flex: changed, priority: changed }, { requiredKeys: [] }),
    hours,
  },
  { requiredKeys: ['rates'] },
);
const withUnits = fc.record({
  units: fc
    .record({ unit: fc.constantFrom('image', 'second', 'character', 'search'), each: dollars })
    .map(({ unit, each }) => ({ [unit]: each })),
});
/** What may be stored: anything else is refused before. */
const card = fc
  .oneof({ weight: 6, arbitrary: withRates }, { weight: 1, arbitrary: withUnits })
  .map((made) => v.safeParse(priceCardSchema, made))
  .filter(({ success }) => success)
  .map(({ output }) => v.parse(stored, output));
const tokens = fc.oneof(
  fc.nat(40),
  fc.constantFrom(1000, 1001, 128_000, 128_001, 200_000, 200_001),
  fc.nat(100_000_000),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const usage = fc
  .record({
    prompt: tokens,
    completion: tokens,
    shares: fc.array(fc.tuple(fc.constantFrom(...partNames), share), { maxLength: 4 }),
    serviceClass: fc.option(fc.constantFrom(...serviceClasses), { nil: undefined }),
  })
  .map(({ prompt, completion, shares, serviceClass }): UsedTokens => {
    const left = { prompt, completion };
    const taken: Partial<Record<(typeof partNames)[number], number>> = {};
    for (const [part, of] of shares) {
      const side = partNames.indexOf(part) < 5 ? 'prompt' : 'completion';
      const wanted = Math.floor(left[side] * of);
      if (wanted === 0 || taken[part] !== undefined) continue;
      taken[part] = wanted;
      left[side] -= wanted;
    }
    return { prompt, completion, parts: taken, ...(serviceClass !== undefined && { serviceClass }) };
  });
const tenTimes = { minLength: 10, maxLength: 10 };
const terms = fc.record({
  unitsPerDollar: fc.constantFrom('500000', '500000', '1', '333.333'),
  group: fc.constantFrom('1', '0.5', '1.1', '0'),
  atMs: fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
});

describe('the price of a card', () => {
  test('R5 equals the oracle of exact fractions written in Python, 400 vectors', () => {
    for (const vector of vectors) {
      const [made, of, used, expected] = v.parse(vectorSchema, vector);
      expect(quotaByCard(readCard(made), of)(used), text(vector)).toBe(expected);
      expect(cardQuota(readCard(made), of, used), text(vector)).toBe(expected);
    }
    expect(vectors).toHaveLength(400);
  });

  test('R5 equals an oracle that knows dollars only, for any card, tokens, class, hour and group, 20,000 pairs', () => {
    fc.assert(
      fc.property(card, terms, fc.array(usage, tenTimes), (made, of: OracleTerms, usages) => {
        const quota = quotaByCard(made, of);
        expect(usages.map(quota)).toEqual(usages.map((used) => cardQuota(made, of, used)));
      }),
      { numRuns: 2000 },
    );
  });

  const fixed = {
    version: 1,
    unitsPerDollar: ratio(1_000_000n, 1n),
    group: one,
    groupKnown: true,
    origin: { source: 'own' },
    factor: one,
  } as const;
  const classed = cardPrice(
    { rates: { input: '4', output: '8' }, classes: { batch: { input: '2', output: '4' }, priority: { input: '9' } } },
    fixed,
  );

  test('what is held for a service class is the dearer one of it and of the standard one', () => {
    const used = { prompt: 10, completion: 1 };
    const held = (serviceClass?: 'batch' | 'priority' | 'flex') => classed.heldFor(serviceClass);
    expect([held(), held('batch'), held('priority'), held('flex')].map((price) => price.quota(used))).toEqual([
      48, 48, 98, 48,
    ]);
    // 98 units pay 10 prompt tokens and 7 of the answer for 8 each; of the priority class 1, as 10 cost 90 there.
    expect([held(), held('batch'), held('priority')].map((price) => price.affordable(98, 10))).toEqual([7, 7, 1]);
    expect(held('priority').affordable(89, 10)).toBe(-1);
  });

  test('the chosen tier and service class are told, and that the model is known', () => {
    const told = (serviceClass?: 'batch') =>
      classed.chosenFor({ prompt: 1, completion: 0, ...(serviceClass && { serviceClass }) });
    expect(told()).toMatchObject({ origin: { source: 'own' }, modelKnown: true });
    expect(told().origin).toEqual({ source: 'own' });
    expect(told('batch').origin).toEqual({ source: 'own', serviceClass: 'batch' });
  });

  test('only a card with nothing but a price for each character is counted in characters', () => {
    const isCounted = (made: PriceCard) => cardPrice(made, fixed).perCharacter;
    const rates = { input: '1', output: '1' };
    const [character, image] = ['0.001', '0.1'];
    const cards = [{ units: { character } }, { rates }, { rates, units: { character } }, { units: { image } }];
    expect(cards.map(isCounted)).toEqual([true, false, false, false]);
    expect(isCounted({ units: { character, image } })).toBe(false);
  });

  test('a card of tokens has the prices of its units beside, with and without service classes', () => {
    const made: PriceCard = { rates: { input: '1', output: '1' }, units: { image: '0.5' } };
    for (const price of [cardPrice(made, fixed), cardPrice({ ...made, classes: { batch: { input: '2' } } }, fixed)]) {
      // 1,000 are a picture.
      expect(price.byUnit('image').quota({ prompt: 1000, completion: 0 })).toBe(500_000);
      expect(price.byUnit('second')).toBe(price);
    }
  });
});
