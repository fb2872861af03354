import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainCharge, type ChargedRow, type ChargeEntry } from './explain-charge.ts';
import { createPrice } from './price.ts';
import { add, multiply, parseRatio, ratio, readExact, type Ratio } from './ratio.ts';

const row: ChargedRow = {
  id: 1,
  request_id: 'r',
  created_at: 2,
  model_name: 'm',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  detail: '',
};
const entry = (amount: number, values: Partial<ChargeEntry> = {}): ChargeEntry => ({
  amount,
  unrecovered: 0,
  price_version: 7,
  estimated: 0,
  reason: '',
  ...values,
});

const exactly = (text: string): Ratio => {
  const value = readExact(text);
  if (value === null) throw new Error(`no number: ${text}`);
  return value;
};

const fraction = fc
  .record({ times: fc.bigInt(-(10n ** 6n), 10n ** 12n), over: fc.bigInt(1n, 10n ** 9n) })
  .map(({ times, over }) => ratio(times, over));
const decimal = fc
  .tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => parseRatio(`${digits}e-${places}`) ?? ratio(0n, 1n));
const anyRatio = fc.oneof(fraction, decimal, fc.constant(ratio(0n, 1n)));
const tokens = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 100_000_000 }));

describe('the explanation of a charge', () => {
  test('RELAY-07 gives exactly the charged quota from the stored row, 20,000 shapes', () => {
    const shape = fc.record({
      model: anyRatio,
      completion: anyRatio,
      group: anyRatio,
      prompt: tokens,
      output: tokens,
      cut: fc.constantFrom('', 'truncated', 'balance'),
      held: fc.integer({ min: 0, max: 1_000_000 }),
      has: fc.oneof(fc.constant(Number.MAX_SAFE_INTEGER), fc.integer({ min: 0, max: 1_000_000 })),
      modelKnown: fc.boolean(),
      groupKnown: fc.boolean(),
    });
    fc.assert(
      fc.property(shape, ({ model, completion, group, prompt, output, cut, held, has, modelKnown, groupKnown }) => {
        const price = createPrice({ version: 7, model, completion, group, modelKnown, groupKnown });
        const priced = price.quota({ prompt, completion: output });
        const amount = cut === 'balance' ? Math.min(priced, held) : priced;
        const charged = Math.min(amount, has);
        const detail = `{${price.detail},"held":${held},"attempts":[]${cut === '' ? '' : `,"cut":"${cut}"`}}`;
        const stored = { ...row, quota: charged, prompt_tokens: prompt, completion_tokens: output, detail };
        const explanation = explainCharge(stored, entry(charged, { unrecovered: amount - charged }));
        expect(explanation.steps.at(-1)?.quota).toBe(charged);
        expect(explanation).toMatchObject({ explained: true, unrecovered: amount - charged, cut });
        expect(explanation).toMatchObject({ model_priced: modelKnown, group_priced: groupKnown });
        const parts = explanation.parts.map((part) => exactly(part.amount));
        const rate = multiply(exactly(explanation.ratios?.model ?? ''), exactly(explanation.ratios?.group ?? ''));
        for (const [index, part] of explanation.parts.entries())
          expect(parts[index]).toEqual(multiply(multiply(rate, exactly(part.weight)), ratio(BigInt(part.tokens), 1n)));
        expect(parts.reduce(add)).toEqual(exactly(explanation.sum ?? ''));
      }),
      { numRuns: 20_000 },
    );
  });

  test('RELAY-07 names each step of the worked examples', () => {
    const price = createPrice({
      version: 7,
      model: exactly('0.25'),
      completion: exactly('4/3'),
      group: exactly('1.1'),
      modelKnown: true,
      groupKnown: true,
    });
    const detail = `{${price.detail},"held":900,"reserved":300,"extensions":2,"attempts":[{"channel":3,"status":500,"ms":9},{"channel":4,"status":200,"ms":80}],"estimated":true,"counted":{"completion":"cut_short"},"requested_model":"requested","cut":"balance"}`;
    const stored = { ...row, quota: 850, prompt_tokens: 3001, completion_tokens: 100, detail };
    expect(explainCharge(stored, entry(850, { unrecovered: 12, estimated: 1 }))).toEqual({
      log_id: 1,
      request_id: 'r',
      created_at: 2,
      model_name: 'm',
      requested_model: 'requested',
      quota: 850,
      ratios: { model: '0.25', completion: '4/3', group: '1.1' },
      price: { source: 'built_in' },
      free_prompt: false,
      model_priced: true,
      group_priced: true,
      price_version: 7,
      parts: [
        { part: 'prompt', tokens: 3001, weight: '1', amount: '825.275', source: 'reported' },
        { part: 'completion', tokens: 100, weight: '4/3', amount: '110/3', source: 'cut_short' },
      ],
      sum: '103433/120',
      steps: [
        { rule: 'round_up', quota: 862 },
        { rule: 'collected', quota: 850 },
      ],
      explained: true,
      hold: { reserved: 300, extensions: 2, extended: 600, returned: 50, beyond: 0 },
      unrecovered: 12,
      estimated: true,
      output_cap: null,
      queued_ms: 0,
      cut: 'balance',
      attempts: [
        { channel: 3, status: 500, ms: 9 },
        { channel: 4, status: 200, ms: 80 },
      ],
    });
    const free = { ...row, detail: detail.replace('"model":"0.25"', '"model":"0"') };
    expect(explainCharge(free, entry(0)).steps).toEqual([
      { rule: 'round_up', quota: 0 },
      { rule: 'free', quota: 0 },
    ]);
  });

  test('RELAY-07 a prompt that costs nothing weighs nothing, and its parts refer to the ratio of the completion', () => {
    const shape = fc.record({ model: anyRatio, cached: anyRatio, reasoning: anyRatio, group: anyRatio, rest: tokens });
    fc.assert(
      fc.property(shape, ({ model, cached, reasoning, group, rest }) => {
        const price = createPrice({
          version: 7,
          model,
          completion: ratio(1n, 1n),
          group,
          parts: { cache_read: cached, reasoning },
          freePrompt: true,
          modelKnown: true,
          groupKnown: true,
        });
        const parts = { cache_read: 40, reasoning: 7 };
        const quota = price.quota({ prompt: 40 + rest, completion: 20, parts });
        const detail = `{${price.detail},"parts":${JSON.stringify(parts)}}`;
        const stored = { ...row, quota, prompt_tokens: 40 + rest, completion_tokens: 20, detail };
        const explanation = explainCharge(stored, entry(quota));
        expect(explanation).toMatchObject({ explained: true, free_prompt: true });
        expect(explanation.parts[0]).toMatchObject({ part: 'prompt', tokens: rest, weight: '0', amount: '0' });
      }),
    );
  });

  test('a charge tells where its price came from, and what was chosen of it', () => {
    const price = {
      source: 'vendor',
      vendor: 'gemini',
      model: 'gemini-2.5-pro',
      from: '2026-11-01',
      above: 200_000,
      serviceClass: 'batch',
      factor: '0.5',
      hours: '22:00–06:00 Europe/Berlin',
    };
    const ratios = { model: '1', completion: '1', group: '1' };
    const stored = { ...row, quota: 9, prompt_tokens: 9, detail: JSON.stringify({ ratios, price }) };
    expect(explainCharge(stored, entry(9)).price).toEqual(price);
    expect(explainCharge({ ...stored, detail: JSON.stringify({ ratios }) }, entry(9)).price).toBeNull();
  });

  test('RELAY-07 a charge by recovery shows the checkpoint, and what was not collected', () => {
    const recovered = { ...row, quota: 40 };
    const explanation = explainCharge(recovered, entry(40, { reason: 'recovered', estimated: 1, unrecovered: 2 }));
    expect(explanation).toMatchObject({
      explained: true,
      ratios: null,
      sum: null,
      parts: [],
      hold: null,
      estimated: true,
    });
    expect(explanation.steps).toEqual([
      { rule: 'checkpoint', quota: 42 },
      { rule: 'collected', quota: 40 },
    ]);
  });

  test.each(['', '{', '[]', '{"ratios":{"model":"x","completion":"1","group":"1"}}', '{"ratios":5}', '{"held":"1"}'])(
    'a row with the detail %j tells its amount alone',
    (detail) => {
      const explanation = explainCharge({ ...row, quota: 9, prompt_tokens: 4, detail }, undefined);
      expect(explanation).toMatchObject({ steps: [{ rule: 'recorded', quota: 9 }], explained: true, ratios: null });
    },
  );

  test('a row that the ledger or the arithmetic contradicts is not explained', () => {
    const detail = '{"ratios":{"model":"1","completion":"1","group":"1"}}';
    const stored = { ...row, quota: 9, prompt_tokens: 9, detail };
    expect(explainCharge(stored, entry(9)).explained).toBe(true);
    expect(explainCharge(stored, entry(8)).explained).toBe(false);
    expect(explainCharge({ ...stored, prompt_tokens: 10 }, entry(9)).explained).toBe(false);
  });
});
